import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { PatientChartScreen } from '../components/chart/PatientChartScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { AntdTheme } from '../components/ui/AntdTheme';
import { parseIds } from '../lib/patients/parseIds';
import type { Patient } from '../lib/patients/schema';
import { can } from '../lib/session/can';
import { signedInPage } from '../store/getPageProps';

interface ChartProps {
  /** Null: the address names no patient whom this user may see. */
  patient: Patient | null;
}

export const getServerSideProps = signedInPage<ChartProps>(async (page, { query }) => {
  const [id] = parseIds(query.id).ids;
  const mayRead = id !== undefined && page.user.permissions.includes('readChart');
  return { props: { patient: mayRead ? await page.readPatient(id) : null } };
});

export default function PatientChart({ patient, now, user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Patient chart - Wardlight</title>
      </Head>
      {can(user, 'readChart') ? (
        <PatientChartScreen key={patient?.id} patient={patient} user={user} now={now} />
      ) : (
        <NoPatientAccess title="Patient chart" user={user} />
      )}
    </AntdTheme>
  );
}
