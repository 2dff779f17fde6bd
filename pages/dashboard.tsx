import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { DashboardScreen } from '../components/dashboard/DashboardScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { everybody } from '../lib/patients/listing';
import type { PatientsPage } from '../lib/patients/schema';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage<{ firstPage: PatientsPage | null }>(async (page) => ({
  props: { firstPage: await page.readPatients(everybody) },
}));

export default function Dashboard({ user, now, firstPage }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Dashboard - Wardlight</title>
      </Head>
      {firstPage === null ? (
        <NoPatientAccess title="Dashboard" user={user} />
      ) : (
        <DashboardScreen user={user} now={now} firstPage={firstPage} />
      )}
    </>
  );
}
