import Head from 'next/head';
import { lockedPage } from '../store/getPageProps';

export const getServerSideProps = lockedPage;

/** SessionGate shows the lock screen in place of every page; this page only has nothing to hide. */
export default function Locked() {
  return (
    <Head>
      <title>Locked - Wardlight</title>
    </Head>
  );
}
