import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { PlainPage } from '../components/ui/PlainPage';
import { SafetyStatement } from '../components/ui/SafetyStatement';
import { publicPage } from '../store/getPageProps';

export const getServerSideProps = publicPage(() => Promise.resolve({ props: {} }));

/** The whole safety statement: for signed-in users in their shell, for everyone else on a page of its own. */
export default function IntendedUse({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  const head = (
    <Head>
      <title>Intended use - Wardlight</title>
    </Head>
  );
  return user === null ? (
    <PlainPage title="Intended use" isWide hasStatement>
      {head}
    </PlainPage>
  ) : (
    <>
      {head}
      <h1>Intended use</h1>
      <SafetyStatement />
    </>
  );
}
