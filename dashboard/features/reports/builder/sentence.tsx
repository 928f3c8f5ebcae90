// A sentence of the builder. Fields can be dropped on sentences that accept them.
import { useDroppable } from '@dnd-kit/core'
import { Group } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './builder.module.css'
import { useBuilder } from './builder-context.ts'
import type { Zone } from './dropping.ts'
import { useDropping } from './dropping-context.ts'
import { problemWords, type SentenceName } from './problem-places.ts'

function Problems({ name }: { name: SentenceName }) {
  const { problemsOf } = useBuilder()
  const texts = [...new Set(problemsOf(name).map(problemWords))]
  if (texts.length === 0) return null
  return (
    <ul className="danger small wide">
      {texts.map((text) => (
        <li key={text} className="row gap-6">
          <TriangleAlert size={13} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  )
}

interface SentenceProps {
  name: SentenceName
  /** First words of the sentence, also used as its label. */
  lead: string
  /** What dropped fields become; undefined: accepts no fields. */
  zone?: Zone | undefined
  children: ReactNode
}

export function Sentence({ name, lead, zone, children }: SentenceProps) {
  const { takes } = useDropping()
  const isTaking = zone !== undefined && takes(zone)
  const { setNodeRef, isOver } = useDroppable({ id: `sentence-${name}`, data: { zone }, disabled: !isTaking })
  return (
    <fieldset
      className={classes.sentence}
      aria-label={lead}
      data-sentence={name}
      data-taking={isTaking || undefined}
      data-over={isOver || undefined}
      ref={setNodeRef}
    >
      <span className={classes.lead} aria-hidden>
        {lead}
      </span>
      <Group gap="4px 6px" className="fill">
        {children}
        <Problems name={name} />
      </Group>
    </fieldset>
  )
}
