import Head from 'next/head';
import { PlainPage } from '../components/ui/PlainPage';
import { SetupForm } from '../components/session/SetupForm';
import { paths } from '../lib/paths';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage((page) =>
  Promise.resolve(page.setupNeeded ? { props: {} } : redirectTo(paths.start)),
);

export default function Setup() {
  return (
    <PlainPage title="Set up this installation" isWide hasStatement>
      <Head>
        <title>Setup - Wardlight</title>
      </Head>
      <SetupForm />
    </PlainPage>
  );
}
