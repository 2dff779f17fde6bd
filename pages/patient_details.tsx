import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { PatientDetails } from '../components/patients/details/PatientDetails';
import type { NotShownProps } from '../components/patients/details/NotShown';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { AntdTheme } from '../components/ui/AntdTheme';
import { parseIds } from '../lib/patients/parseIds';
import type { Patient } from '../lib/patients/schema';
import { can } from '../lib/session/can';
import { signedInPage } from '../store/getPageProps';

interface DetailsProps {
  patients: Patient[];
  notShown: NotShownProps;
}

export const getServerSideProps = signedInPage<DetailsProps>(async (page, { query }) => {
  const { ids, overLimit, malformed } = parseIds(query.ids);
  const read = await Promise.all(ids.map((id) => page.readPatient(id)));
  const patients = read.filter((patient) => patient !== null);
  const unknown = ids.filter((_id, index) => read[index] === null);
  return { props: { patients, notShown: { malformed, overLimit, unknown } } };
});

export default function PatientDetailsPage({
  patients,
  notShown,
  now,
  user,
  chatKey,
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
  // Another choice of patients is another page: it keeps nothing of the last one, for example its range.
  const chosen = patients.map(({ id }) => id).join(',');
  return (
    <AntdTheme>
      <Head>
        <title>Patient details - Wardlight</title>
      </Head>
      {can(user, 'readPatients') ? (
        <PatientDetails
          key={chosen}
          patients={patients}
          notShown={notShown}
          now={now}
          user={user}
          hasChat={chatKey != null}
        />
      ) : (
        <NoPatientAccess title="Patient details" user={user} />
      )}
    </AntdTheme>
  );
}
