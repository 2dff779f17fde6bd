import styles from './chat.module.css';

/** Tells administrators how to set chat up. */
export function ChatSetup() {
  return (
    <div className={styles.setup}>
      <p>
        Chat is not set up on this installation. Only administrators see this page in the menu, and no chat code is
        downloaded.
      </p>
      <h2>What it takes</h2>
      <ol>
        <li>
          An account with Stream (getstream.io), a service outside your hospital that carries the messages, with one app
          for this installation.
        </li>
        <li>
          Stream’s written agreement on patient data. Staff will write about patients, so do not start without it.
          Wardlight itself sends no patient’s name to Stream.
        </li>
        <li>
          The app’s key and secret in the server’s environment or its <code>.env</code> file, as{' '}
          <code>STREAM_API_KEY</code> and <code>STREAM_API_SECRET</code>, then a restart of Wardlight. The secret stays
          on the server.
        </li>
      </ol>
      <p>
        The file <code>docs/chat.md</code>, which comes with Wardlight, says what to set in Stream’s dashboard, what
        leaves the hospital, and how to try it.
      </p>
    </div>
  );
}
