import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { ChatScreen } from '../components/chat/ChatScreen';
import { parseIds } from '../lib/patients/parseIds';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage<{ patientId: number | null }>((_page, { query }) =>
  Promise.resolve({ props: { patientId: parseIds(query.patient).ids[0] ?? null } }),
);

export default function Chat({ user, chatKey, patientId }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Chat - Wardlight</title>
      </Head>
      <ChatScreen user={user} hasChat={chatKey != null} patientId={patientId} />
    </>
  );
}
