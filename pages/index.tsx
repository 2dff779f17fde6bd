import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { FirstPage } from '../components/start/FirstPage';
import { StartScreen } from '../components/start/StartScreen';
import { ownCountQuery, dashboardQuery } from '../lib/patients/dashboardQuery';
import { paths } from '../lib/paths';
import type { PatientsPage } from '../lib/patients/schema';
import { homeOf } from '../lib/session/homeOf';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage<{ firstPage: PatientsPage | null; myPage: PatientsPage | null }>(
  async (page) => {
    if (page.user === null && !page.setupNeeded) {
      return redirectTo(paths.signIn);
    }
    if (page.isLocked) {
      return redirectTo(paths.lockedAndReturn(paths.start));
    }
    if (page.user === null) {
      return { props: { firstPage: null, myPage: null } };
    }
    const home = homeOf(page.user);
    if (home !== paths.dashboard) {
      return redirectTo(home);
    }
    return {
      props: { firstPage: await page.readPatients(dashboardQuery), myPage: await page.readPatients(ownCountQuery) },
    };
  },
);

export default function Start({
  user,
  now,
  firstPage,
  myPage,
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
  if (user === null) {
    return <FirstPage />;
  }
  return (
    <>
      <Head>
        <title>Start - Wardlight</title>
      </Head>
      {firstPage === null || myPage === null ? (
        <NoPatientAccess title="Start" user={user} />
      ) : (
        <StartScreen user={user} now={now} firstPage={firstPage} myPage={myPage} />
      )}
    </>
  );
}
