// Headers and body of a request or response, exactly as transmitted.
import { Box, Group, Switch, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { prettyJson } from './pretty.ts'

const WRAPPED = { whiteSpace: 'pre-wrap' } as const

export function PartTitle({ children }: { children: ReactNode }) {
  return (
    <Text component="h4" size="xs" c="dimmed" fw={500} mr="auto">
      {children}
    </Text>
  )
}

export function Headers({ headers }: { headers: Record<string, string | string[]> }) {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  return (
    <dl className="stack gap-4 tiny mono breakable">
      {lines.map(([name, value]) => (
        <div key={`${name}: ${value}`}>
          <Box component="dt" display="inline" c="dimmed">
            {name}:
          </Box>{' '}
          <Box component="dd" display="inline">
            {value}
          </Box>
        </div>
      ))}
    </dl>
  )
}

/** Shows the exact text, or formatted JSON on request. Copying always copies the exact text. */
export function Body({ text, of }: { text: string; of: 'request' | 'response' }) {
  const [isPretty, setPretty] = useState(false)
  const pretty = prettyJson(text)
  if (text === '') return <p className="muted small">The body is empty.</p>
  return (
    <div className="stack gap-4">
      <Group gap={8} mih={24} wrap="nowrap">
        <PartTitle>Body</PartTitle>
        {pretty !== undefined && (
          <Switch
            size="xs"
            label="Pretty"
            checked={isPretty}
            onChange={({ currentTarget }) => setPretty(currentTarget.checked)}
          />
        )}
        <CopyButton value={text} label={`Copy ${of} body`} />
      </Group>
      {/* Scrollable elements must be focusable by keyboard. */}
      <Box
        component="pre"
        className="box breakable tiny mono sunken scroll"
        mah={360}
        style={WRAPPED}
        tabIndex={0}
      >
        {isPretty ? pretty : text}
      </Box>
    </div>
  )
}
