import dynamic from 'next/dynamic';
import { useRouter } from 'next/router';
import { useRef, useState, type ReactNode, type Ref } from 'react';
import { useBreakGlass } from '../../hooks/useBreakGlass';
import { PageValuesProvider } from '../../hooks/PageValuesProvider';
import { useChat } from '../../hooks/useChat';
import { usePageUser } from '../../hooks/usePageUser';
import { useServerLost } from '../../hooks/useServerLost';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { BreakGlassPlace } from '../breakGlass/BreakGlassPlace';
import { Unread } from '../chat/Unread';
import { ReportPlace } from '../reports/ReportPlace';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Icon } from '../ui/Icon';
import header from '../ui/headerButton.module.css';
import { onDemand } from '../ui/onDemand';
import styles from './AppShell.module.css';
import { AlertsNotRunningBanner } from './AlertsNotRunningBanner';
import { Banners } from './Banners';
import { ClockDoubtedBanner } from './ClockDoubtedBanner';
import { DemoBanner } from './DemoBanner';
import { DiskLowBanner } from './DiskLowBanner';
import { Header } from './Header';
import { InsecureBanner } from './InsecureBanner';
import { IntendedUseChangedBanner } from './IntendedUseChangedBanner';
import { NothingStoredBanner } from './NothingStoredBanner';
import { IdleBanner } from '../session/IdleBanner';
import { RulesOffBanner } from './RulesOffBanner';
import { SafetyLine } from '../ui/SafetyStatement';
import { SessionEndBanner } from '../session/SessionEndBanner';
import { Sidebar } from './Sidebar';
import { TourPlace } from '../tour/TourPlace';

// Rendered by the server with the page if it is needed; other pages do not download it.
const BreakGlassBanner = dynamic(() =>
  import('../breakGlass/BreakGlassBanner').then((module) => module.BreakGlassBanner),
);
const PasswordLinkBanner = dynamic(() =>
  import('../session/PasswordLinkBanner').then((module) => module.PasswordLinkBanner),
);
const ChatDrawer = onDemand(() => import('../chat/ChatDrawer').then((module) => module.ChatDrawer));

interface AppShellProps {
  /** The user for whom the page was rendered: their rights then say what it contains. */
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
  /** When the user last touched a page, epoch milliseconds; null if unknown. */
  lastInputAt?: number | null;
  /** When the session ends by itself, epoch milliseconds; null if unknown. */
  sessionEndsAt?: number | null;
  insecureTransport: boolean;
  /** Whether the installation has a key of the chat service. */
  hasChat?: boolean;
  children: ReactNode;
}

/** The frame of every page of a signed-in user. It survives navigation and a page that cannot be drawn. */
export function AppShell(props: AppShellProps) {
  return (
    <PageValuesProvider>
      <Shell {...props} />
    </PageValuesProvider>
  );
}

interface ChatButtonProps {
  ref: Ref<HTMLButtonElement>;
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens the chat beside the page, and shows how many messages are unread. */
function ChatButton({ ref, isOpen, onToggle }: ChatButtonProps) {
  const { unread } = useChat();
  return (
    <button ref={ref} type="button" className={header.button} aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chat" />
      Chat
      <Unread count={unread} />
    </button>
  );
}

function Shell({
  user: pageUser,
  now,
  lastInputAt = null,
  sessionEndsAt = null,
  insecureTransport,
  hasChat = false,
  children,
}: AppShellProps) {
  const serverLost = useServerLost();
  const { until, isPageOver, end } = useBreakGlass(pageUser);
  // Newer than the page: the rules may be started, or the profile changed, while it is open.
  const user = usePageUser(pageUser);
  const { rulesAreOn, intendedUseChanged, isClockDoubted, isDiskLow, timeZone } = user.site;
  const { pathname, asPath } = useRouter();
  const [isChatOpen, setIsChatOpen] = useState(false);
  const chatButton = useRef<HTMLButtonElement>(null);
  // On the chat's own page there is no second one beside it.
  const canOpenChat = hasChat && can(user, 'chat') && pathname !== paths.chat;
  return (
    <div className={styles.shell} data-server-lost={serverLost === null ? undefined : ''}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      {/* Outside of the page: a fault of the page, the search or the chat must not hide that nothing is live. */}
      <Banners
        header={
          <Header user={user} initialNow={now} serverLost={serverLost} resetKey={asPath}>
            {canOpenChat ? (
              <ChatButton ref={chatButton} isOpen={isChatOpen} onToggle={() => setIsChatOpen(!isChatOpen)} />
            ) : null}
          </Header>
        }
      >
        {insecureTransport ? <InsecureBanner /> : null}
        {user.site.isDemo ? <DemoBanner /> : null}
        {intendedUseChanged && can(user, 'manageSite') ? <IntendedUseChangedBanner /> : null}
        {isClockDoubted && can(user, 'manageSite') ? <ClockDoubtedBanner /> : null}
        {isDiskLow && can(user, 'manageSite') ? <DiskLowBanner /> : null}
        <AlertsNotRunningBanner timeZone={timeZone} />
        <NothingStoredBanner timeZone={timeZone} />
        {rulesAreOn ? null : <RulesOffBanner canAccept={can(user, 'manageSite')} />}
        {user.type === 'display' ? null : (
          <IdleBanner initialNow={now} lastInputAt={lastInputAt ?? now} idleMinutes={user.site.idleMinutes} />
        )}
        {user.passwordLinkBy === null ? null : <PasswordLinkBanner by={user.passwordLinkBy} />}
        {sessionEndsAt === null ? null : (
          <SessionEndBanner initialNow={now} endsAt={sessionEndsAt} timeZone={timeZone} />
        )}
        {until === null ? null : (
          <BreakGlassBanner key={until} site={user.site} until={until} initialNow={now} onOver={end} />
        )}
        {/* The walkthrough draws the worst alert here, above itself. */}
        <div id="tour-bar" />
      </Banners>
      <ErrorBoundary resetKey={asPath}>
        <div className={styles.body}>
          <Sidebar permissions={user.permissions} hasChat={hasChat} />
          <div className={styles.column}>
            <main id="content" tabIndex={-1} className={styles.content}>
              {isPageOver ? <p role="status">Emergency access has ended. One moment …</p> : children}
            </main>
            <footer className={styles.footer}>
              <SafetyLine />
            </footer>
          </div>
          {canOpenChat && isChatOpen ? (
            <ErrorBoundary resetKey={asPath}>
              <ChatDrawer
                user={user}
                onClose={() => {
                  setIsChatOpen(false);
                  chatButton.current?.focus();
                }}
              />
            </ErrorBoundary>
          ) : null}
        </div>
        <BreakGlassPlace user={user} />
      </ErrorBoundary>
      {/* Outside of the page: one that cannot be drawn can be reported. */}
      {can(user, 'fileReports') ? (
        <ErrorBoundary resetKey={asPath}>
          <ReportPlace user={user} now={now} />
        </ErrorBoundary>
      ) : null}
      <ErrorBoundary resetKey={asPath}>
        <TourPlace key={user.id} user={user} sessionEndsAt={sessionEndsAt} />
      </ErrorBoundary>
    </div>
  );
}
