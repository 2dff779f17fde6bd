import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { HistoryScreen } from '../components/history/HistoryScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { AntdTheme } from '../components/ui/AntdTheme';
import { signedInPage } from '../store/getPageProps';
import { can } from '../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Alerts({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Alert history - Wardlight</title>
      </Head>
      {can(user, 'readAlerts') ? (
        <HistoryScreen user={user} now={now} />
      ) : (
        <NoPatientAccess title="Alert history" user={user} />
      )}
    </AntdTheme>
  );
}
