import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { DashboardScreen } from '../components/dashboard/DashboardScreen';
import { dashboardListing, readDashboardView } from '../components/dashboard/dashboardUrl';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import type { AlertsPage } from '../lib/alerts/schema';
import type { PatientsPage } from '../lib/patients/schema';
import { paths } from '../lib/paths';
import { homeOf } from '../lib/session/homeOf';
import { redirectTo, signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage<{ firstPage: PatientsPage | null; firstAlerts: AlertsPage | null }>(
  async (page, { query }) => {
    const home = homeOf(page.user);
    if (home !== paths.dashboard) {
      return redirectTo(home);
    }
    return {
      props: {
        firstPage: await page.readPatients(dashboardListing(readDashboardView(query))),
        firstAlerts: await page.readOpenAlerts(),
      },
    };
  },
);

export default function Dashboard({
  user,
  now,
  firstPage,
  firstAlerts,
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Dashboard - Wardlight</title>
      </Head>
      {firstPage === null ? (
        <NoPatientAccess title="Dashboard" user={user} />
      ) : (
        <DashboardScreen user={user} now={now} firstPage={firstPage} firstAlerts={firstAlerts} />
      )}
    </>
  );
}
