import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { AlertSettingsScreen } from '../components/admin/AlertSettingsScreen';
import { NoAlertSettings } from '../components/admin/NoAlertSettings';
import { AntdTheme } from '../components/ui/AntdTheme';
import { signedInPage } from '../store/getPageProps';
import { can } from '../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function AlertSettings({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Alert settings - Wardlight</title>
      </Head>
      {can(user, 'readAlerts') ? <AlertSettingsScreen user={user} now={now} /> : <NoAlertSettings user={user} />}
    </AntdTheme>
  );
}
