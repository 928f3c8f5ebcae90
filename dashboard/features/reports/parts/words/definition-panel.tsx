// What a report asks, in sentences.
import { Skeleton } from '@mantine/core'
import type { ReportDefinition } from '../../../../../contract/reports.ts'
import classes from './definition-panel.module.css'
import { useDefinitionWords } from './use-definition-words.ts'

export function DefinitionSentences({ definition }: { definition: ReportDefinition }) {
  const sentences = useDefinitionWords(definition)
  if (!sentences)
    return (
      <div aria-busy="true" className={classes.sentences}>
        <Skeleton height={14} />
        <Skeleton height={14} width="70%" />
      </div>
    )
  return (
    <dl className={classes.sentences}>
      {sentences.map(({ label, words }) => (
        <div key={label}>
          <dt>{label}</dt> <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}
