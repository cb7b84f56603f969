import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { SearchField } from '#ui/forms/search-field.tsx';
import { callsOf } from '#wire/client.ts';
import { MarkedText } from './chat/marked-text.tsx';
import { assistantContract, type Facts } from './contract.ts';
import { usualFacts } from './facts.ts';
import { listTopics, type Topic } from './topics/all-topics.ts';
import { ownPages } from './topics/own-pages.ts';
import { type Group, groups } from './topics/topic.ts';

const assistant = callsOf('assistant', assistantContract);
/** What finds a topic is loaded when somebody begins to search. */
const loadSearch = () => import('./search/find-topics.ts');

/** Everything that Sofia answers from, to be searched and read; whole without a server, too. */
export function HelpTopics() {
  const { hash } = useLocation();
  // Whoever comes by another address sees what it names, not what was searched before.
  return <SearchedTopics key={hash} named={hash.slice(1)} />;
}

/** @param named the topic that stands open at first */
function SearchedTopics({ named }: { named: string }) {
  const { data: facts = usualFacts } = useQuery(assistant.facts.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const [question, setQuestion] = useState('');
  const found = useFound(useDeferredValue(question), facts);
  useOpened(named);
  return (
    <>
      <search>
        <SearchField
          label="Search the help"
          placeholder="For example: take a link back"
          maxLength={200}
          value={question}
          onFocus={() => void loadSearch().catch(() => undefined)}
          onSearch={setQuestion}
        />
      </search>
      <p role="status" className="mt-2 min-h-6 text-13 text-quiet">
        {found &&
          (found.length === 0 ? 'Nothing fits that. Try other words.' : `${found.length} found, the best first.`)}
      </p>
      {found === undefined && <AllGroups facts={facts} />}
      {found !== undefined && found.length > 0 && (
        <section aria-label="What fits" className="mt-4 border-t border-line">
          {found.map((topic) => (
            <TopicRow key={topic.id} topic={topic} facts={facts} />
          ))}
        </section>
      )}
    </>
  );
}

function AllGroups({ facts }: { facts: Facts }) {
  const topics = listTopics(facts);
  return (Object.keys(groups) as Group[]).map((group) => (
    <section key={group} className="mt-8">
      <h2 className="mb-3 text-21">{groups[group]}</h2>
      <div className="border-t border-line">
        {topics
          .filter((topic) => topic.group === group)
          .map((topic) => (
            <TopicRow key={topic.id} topic={topic} facts={facts} />
          ))}
      </div>
    </section>
  ));
}

function TopicRow({ topic: { id, title, text, page }, facts }: { topic: Topic; facts: Facts }) {
  return (
    <details id={id} className="group scroll-mt-20 border-b border-line">
      <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-4 py-2.5 font-strong [&::-webkit-details-marker]:hidden">
        <span>{title}</span>
        <ChevronDown className="flex-none text-quiet transition group-open:rotate-180" />
      </summary>
      <div className="pb-5">
        <p>
          <MarkedText>{text(facts)}</MarkedText>
        </p>
        {page !== '/help' && page !== '/' && (
          <Link
            to={page}
            className="mt-1 inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline"
          >
            {ownPages[page]}
          </Link>
        )}
      </div>
    </details>
  );
}

/** The topics that fit, best first; undefined while nothing is asked, and while nothing can be found yet. */
function useFound(question: string, facts: Facts): readonly Topic[] | undefined {
  const [found, setFound] = useState<readonly Topic[]>();
  useEffect(() => {
    let isOver = false;
    const find = async () => {
      if (question.trim() === '') return undefined;
      const { findTopics } = await loadSearch();
      return findTopics(question, facts)
        .map(({ topic }) => topic)
        .filter(({ group }) => group !== undefined)
        .slice(0, 8);
    };
    void find()
      .catch(() => undefined) // Without its search the page still lists everything.
      .then((topics) => {
        if (!isOver) setFound(topics);
      });
    return () => {
      isOver = true;
    };
  }, [question, facts]);
  return found;
}

/** Opens the topic that the address names: `/help#take-back`. */
function useOpened(named: string) {
  useEffect(() => {
    const row = document.getElementById(named);
    if (!(row instanceof HTMLDetailsElement)) return;
    row.open = true;
    row.scrollIntoView();
  }, [named]);
}
