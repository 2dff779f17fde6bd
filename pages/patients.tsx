import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { PatientsScreen } from '../components/patients/PatientsScreen';
import { listingOf, readPatientsView } from '../components/patients/patientsUrl';
import type { PatientsPage } from '../lib/patients/schema';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage<{ firstPage: PatientsPage | null }>(async (page, { query }) => ({
  props: { firstPage: await page.readPatients(listingOf(readPatientsView(query))) },
}));

export default function Patients({ user, now, firstPage }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Patients - Wardlight</title>
      </Head>
      {firstPage === null ? (
        <NoPatientAccess title="Patients" user={user} />
      ) : (
        <PatientsScreen user={user} now={now} firstPage={firstPage} />
      )}
    </>
  );
}
