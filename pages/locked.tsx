import Head from 'next/head';
import { lockedPage } from '../store/getPageProps';

export const getServerSideProps = lockedPage;

/** The lock screen itself stands in the place of every page (SessionGate); this one only has nothing to hide. */
export default function Locked() {
  return (
    <Head>
      <title>Locked - Wardlight</title>
    </Head>
  );
}
