import Head from 'next/head';
import Link from 'next/link';
import { PlainPage } from '../components/layout/PlainPage';
import { paths } from '../lib/paths';

export default function NotFound() {
  return (
    <PlainPage title="There is no such page">
      <Head>
        <title>Not found - Wardlight</title>
      </Head>
      <Link href={paths.start} prefetch={false}>
        Go to the start
      </Link>
    </PlainPage>
  );
}
