import Head from 'next/head';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { PlainPage } from '../components/ui/PlainPage';
import { paths } from '../lib/paths';
import type { PageProps } from '../store/getPageProps';

const title = 'Page not found';

/** Every unknown address: in the shell of a signed-in user, without the shell for everyone else. */
export default function NotFound({ user }: Partial<PageProps>): ReactNode {
  const content = (
    <>
      <Head>
        <title>Not found - Wardlight</title>
      </Head>
      <p>
        <Link href={paths.start} prefetch={false}>
          Go to the start
        </Link>
      </p>
    </>
  );
  return user == null ? (
    <PlainPage title={title}>{content}</PlainPage>
  ) : (
    <>
      <h1>{title}</h1>
      {content}
    </>
  );
}
