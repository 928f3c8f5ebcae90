// The input or output of a step, as readable text or, on request, as JSON.
import { Box, Button, Group } from '@mantine/core'
import { Braces } from 'lucide-react'
import { Fragment, useState } from 'react'
import { HISTORY_BYTES_MAX } from '../../../../contract/workflow-states.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { plainFacts } from './plain-facts.ts'
import { truncatedText } from './step-records.ts'

const isNothing = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

function Facts({ value }: { value: unknown }) {
  if (truncatedText(value) !== undefined)
    return <p className="muted small">Too large to be shown here. Its beginning is in the JSON.</p>
  const facts = plainFacts(value)
  if (facts.length === 0) return <p className="muted small">Nothing to read</p>
  return (
    <dl className="facts">
      {facts.map(({ name, value: text }) => (
        <Fragment key={`${name} ${text}`}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Json({ title, value }: { title: string; value: unknown }) {
  const cut = truncatedText(value)
  const text = cut ?? (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return (
    <>
      <Box pos="relative">
        {/* Scrollable elements must be focusable by keyboard. */}
        <Box component="pre" className="box tiny mono sunken scroll" mah={420} tabIndex={0}>
          {text}
        </Box>
        <Box pos="absolute" top={6} right={6}>
          <CopyButton value={text} label={`Copy ${title.toLowerCase()}`} />
        </Box>
      </Box>
      {cut !== undefined && (
        <p className="muted small">Only the first {HISTORY_BYTES_MAX / 1024} KiB are kept.</p>
      )}
    </>
  )
}

export function DataPart({ title, value }: { title: string; value: unknown }) {
  const [isJson, setJson] = useState(false)
  const isEmpty = isNothing(value)
  return (
    <Box component="section" mt={16} aria-label={title}>
      <Group justify="space-between" mih={24} mb={4}>
        <h3 className="muted tiny medium">{title}</h3>
        {!isEmpty && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<Braces size={12} aria-hidden />}
            onClick={() => setJson(!isJson)}
          >
            {isJson ? 'Hide JSON' : 'Show JSON'}
          </Button>
        )}
      </Group>
      {isEmpty && <p className="muted small">Nothing</p>}
      {!isEmpty && (isJson ? <Json title={title} value={value} /> : <Facts value={value} />)}
    </Box>
  )
}
