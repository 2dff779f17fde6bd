import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { WallScreen } from '../components/wall/WallScreen';
import { parseIds } from '../lib/patients/parseIds';
import type { Wall as WallData } from '../lib/wall/schema';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage<{ unitId: number | null; first: WallData }>(async (page, { query }) => {
  const [unitId = null] = parseIds(query.unit).ids;
  const first = query.unit !== undefined && unitId === null ? null : await page.readWall(unitId);
  return first === null ? { notFound: true } : { props: { unitId, first } };
});

/** The screen on the wall of a unit (screens.md section 9). `pages/_app.tsx` gives it a frame of its own. */
export default function Wall({ user, now, unitId, first }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Wall - Wardlight</title>
      </Head>
      <WallScreen user={user} now={now} unitId={unitId} first={first} />
    </>
  );
}
