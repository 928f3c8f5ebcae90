// The definition of a report, in sentences.
import { Box, Skeleton } from '@mantine/core'
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { useDefinitionWords } from './use-definition-words.ts'

export function DefinitionSentences({ definition }: { definition: ReportDefinition }) {
  const sentences = useDefinitionWords(definition)
  if (!sentences)
    return (
      <div aria-busy="true" className="stack gap-8">
        <Skeleton height={14} />
        <Skeleton height={14} width="70%" />
      </div>
    )
  return (
    <dl className="stack gap-8 small">
      {sentences.map(({ label, words }) => (
        <div key={label}>
          <Box component="dt" display="inline" c="dimmed">
            {label}
          </Box>{' '}
          <Box component="dd" display="inline">
            {words}
          </Box>
        </div>
      ))}
    </dl>
  )
}
