import Head from 'next/head';
import { laterStyles } from './laterStyles';

/**
 * Has a page wait for antd's later rules before its first paint. For pages that show antd's fields at once: without it
 * they would be drawn bare and then move.
 */
export function FormStyles() {
  return (
    <Head>
      <link rel="stylesheet" href={laterStyles} />
    </Head>
  );
}
