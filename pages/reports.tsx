import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { ReportsScreen } from '../components/reports/ReportsScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { AntdTheme } from '../components/ui/AntdTheme';
import { signedInPage } from '../store/getPageProps';
import { can } from '../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Reports({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Issue reports - Wardlight</title>
      </Head>
      {can(user, 'readReports') ? (
        <ReportsScreen user={user} now={now} />
      ) : (
        <NoPatientAccess title="Issue reports" user={user} />
      )}
    </AntdTheme>
  );
}
