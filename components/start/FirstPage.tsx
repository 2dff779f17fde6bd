import Link from 'next/link';
import { paths } from '../../lib/paths';
import { PlainPage } from '../ui/PlainPage';
import styles from './FirstPage.module.css';
import { StartDemo } from './StartDemo';

/** The page of an installation without users: set up a ward of its own, or start the demo ward. */
export function FirstPage() {
  return (
    <PlainPage title="No users yet" isWide hasStatement>
      <p className={styles.text}>
        Wardlight shows the SpO<sub>2</sub> and heart rate of many patients on one screen, each number with its age.
        There are two ways to begin.
      </p>
      <section className={styles.way} aria-labelledby="own-ward">
        <h2 id="own-ward">Your own ward</h2>
        <p className={styles.text}>
          Name your site and create the first user. You need the setup code that the server printed in its terminal.
        </p>
        <Link
          href={paths.setup}
          prefetch={false}
          className="ant-btn wardlight ant-btn-primary ant-btn-color-primary ant-btn-variant-solid"
        >
          <span>Set up this installation</span>
        </Link>
      </section>
      <StartDemo />
    </PlainPage>
  );
}
