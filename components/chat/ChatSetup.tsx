import styles from './chat.module.css';

/** What an administrator does to have chat, where it is not set up. */
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
          An account with Stream (getstream.io), a service outside of your house through which the messages go, and one
          app of it for this installation.
        </li>
        <li>
          Stream’s written agreement on patient data. Staff will write about patients, so do not start without it. By
          itself Wardlight tells Stream no patient’s name.
        </li>
        <li>
          The app’s key and secret in the server’s environment or its <code>.env</code> file, as{' '}
          <code>STREAM_API_KEY</code> and <code>STREAM_API_SECRET</code>, then a restart of Wardlight. The secret stays
          on the server.
        </li>
      </ol>
      <p>
        The file <code>docs/chat.md</code>, which comes with Wardlight, says what to set in Stream’s dashboard, what
        leaves the house, and how to try it.
      </p>
    </div>
  );
}
