// What went in or came out, as JSON.
import { Box, Group } from '@mantine/core'
import { HISTORY_BYTES_MAX } from '../../../../../contract/workflow-states.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { truncatedText } from './step-records.ts'

const isNothing = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

export function JsonPart({ title, value }: { title: string; value: unknown }) {
  const cut = truncatedText(value)
  const text = cut ?? (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return (
    <Box component="section" mt={16} aria-label={title}>
      <Group justify="space-between" mih={24} mb={4}>
        <h3 className="muted tiny medium">{title}</h3>
        {!isNothing(value) && <CopyButton value={text} label={`Copy ${title.toLowerCase()}`} />}
      </Group>
      {isNothing(value) ? (
        <p className="muted small">Nothing</p>
      ) : (
        // What scrolls must be reachable by keyboard.
        <Box component="pre" className="box tiny mono sunken scroll" mah={420} tabIndex={0}>
          {text}
        </Box>
      )}
      {cut !== undefined && (
        <p className="muted small">Only the first {HISTORY_BYTES_MAX / 1024} KiB are kept.</p>
      )}
    </Box>
  )
}
