import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { AssignmentsScreen } from '../components/assignments/AssignmentsScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { signedInPage } from '../store/getPageProps';
import { can } from '../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Assignments({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Assignments - Wardlight</title>
      </Head>
      {can(user, 'readAssignments') ? (
        <AssignmentsScreen user={user} now={now} />
      ) : (
        <NoPatientAccess title="Assignments" user={user} />
      )}
    </>
  );
}
