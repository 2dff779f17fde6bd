import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { AuditScreen } from '../../components/admin/AuditScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { AntdTheme } from '../../components/ui/AntdTheme';
import { signedInPage } from '../../store/getPageProps';
import { can } from '../../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Audit({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Audit log - Wardlight</title>
      </Head>
      {can(user, 'readAudit') ? <AuditScreen user={user} /> : <NoAdminAccess title="Audit log" user={user} />}
    </AntdTheme>
  );
}
