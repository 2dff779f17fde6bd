import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { LimitsProposal, SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { can } from '../../lib/session/can';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import type { ScreenProps } from '../ui/screenPage';
import styles from './admin.module.css';
import { EscalationTable } from './EscalationTable';
import { ProposalHistory, Proposals } from './Proposals';
import { escalationItem, limitsItem, type ProposalItem } from './proposalWords';
import { SiteLimitsTable } from './SiteLimitsTable';

// The drawers and the schemas that judge their forms are not needed to paint the tables.
const ProposeTimesDrawer = onDemand(() => import('./ProposeTimesDrawer').then((module) => module.ProposeTimesDrawer));
const ProposeLimitsDrawer = onDemand(() =>
  import('./ProposeLimitsDrawer').then((module) => module.ProposeLimitsDrawer),
);

/** The escalation times and limits of the site: what holds, what is proposed, and what was. */
export function AlertSettingsScreen({ user, now }: ScreenProps) {
  // This page shows antd's buttons at once, so it does not wait for the end of the load.
  const limits = useRead('getSiteLimits', {});
  const escalation = useRead('getEscalationTimes', {});
  const [isProposingTimes, setIsProposingTimes] = useState(false);
  const [chosen, setChosen] = useState<Pick<LimitsProposal, 'rule' | 'scale'> | null>(null);
  const [said, setSaid] = useState('');
  const { timeZone } = user.site;
  const canPropose = can(user, 'proposeAlertSettings');
  const times = escalation.data;
  const limit = limits.data?.items.find(({ rule, scale }) => rule === chosen?.rule && scale === chosen.scale);
  const items = [
    ...(times?.proposals ?? []).map(escalationItem),
    ...(limits.data?.proposals ?? []).map((proposal) => limitsItem(proposal, limits.data?.items ?? [])),
  ].sort(newestFirst);
  return (
    <div className={styles.screen}>
      <h1>Alert settings</h1>
      <p className={styles.text}>
        One person proposes a change, another approves it. The defaults are not validated: the site owns its limits.
      </p>
      <div role="status" className={said === '' ? undefined : styles.said}>
        {said}
      </div>
      <Proposals items={items} user={user} now={limits.asOf ?? now} onSaid={setSaid} />
      <section aria-labelledby="escalation" className={styles.screen}>
        <div className={styles.toolbar}>
          <h2 id="escalation">Who is asked, and when</h2>
          {canPropose && times !== undefined ? (
            <Button
              onClick={() => {
                setSaid('');
                setIsProposingTimes(true);
              }}
            >
              Propose times
            </Button>
          ) : null}
        </div>
        <AsyncView
          answer={escalation}
          skeleton={<ListSkeleton label="Escalation times are loading" rows={6} />}
          timeZone={timeZone}
        >
          {(settings) => <EscalationTable settings={settings} />}
        </AsyncView>
      </section>
      <section aria-labelledby="limits" className={styles.screen}>
        <h2 id="limits">Limits for patients without their own</h2>
        <AsyncView answer={limits} skeleton={<ListSkeleton label="Limits are loading" rows={11} />} timeZone={timeZone}>
          {(settings) => (
            <SiteLimitsTable
              settings={settings}
              timeZone={timeZone}
              onPropose={
                canPropose
                  ? (one) => {
                      setSaid('');
                      setChosen({ rule: one.rule, scale: one.scale });
                    }
                  : null
              }
            />
          )}
        </AsyncView>
      </section>
      <ProposalHistory items={items} earlier={setAlone(limits.data)} timeZone={timeZone} />
      {isProposingTimes && times !== undefined ? (
        <ProposeTimesDrawer
          settings={times}
          onClose={() => setIsProposingTimes(false)}
          onProposed={() => {
            setIsProposingTimes(false);
            setSaid('Proposed. The old times hold until someone else approves.');
          }}
        />
      ) : null}
      {limit === undefined || limits.data === undefined ? null : (
        <ProposeLimitsDrawer
          key={`${limit.rule} ${limit.scale ?? ''}`}
          limit={limit}
          proposals={limits.data.proposals}
          site={user.site}
          onClose={() => setChosen(null)}
          onProposed={() => {
            setChosen(null);
            setSaid('Proposed. The old limits hold until someone else approves.');
          }}
        />
      )}
    </div>
  );
}

const newestFirst = (a: ProposalItem, b: ProposalItem): number =>
  Date.parse(b.proposal.proposedAt) - Date.parse(a.proposal.proposedAt);

/** Returns the limits that one user set in an earlier release, before a second one had to approve. */
function setAlone(settings: SiteLimitsResponse | undefined): SiteLimitsResponse['history'] {
  return (settings?.history ?? []).filter(({ approvedBy }) => approvedBy === null);
}
