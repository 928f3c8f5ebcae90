// Headers and body of a request or an answer, exactly as they went over the wire.
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import classes from './exchange.module.css'
import { prettyJson } from './pretty.ts'

export function Headers({ headers }: { headers: Record<string, string | string[]> }) {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  return (
    <dl className={classes.headers}>
      {lines.map(([name, value]) => (
        <div key={`${name}: ${value}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Exact until one asks for the pretty form; what is copied is exact always. */
export function Body({ text, of }: { text: string; of: 'request' | 'response' }) {
  const [isPretty, setPretty] = useState(false)
  const pretty = prettyJson(text)
  if (text === '') return <p className={classes.none}>The body is empty.</p>
  return (
    <div className={classes.body}>
      <div className={classes.bodyHead}>
        <h4 className={classes.partTitle}>Body</h4>
        {pretty !== undefined && (
          <Switch
            size="xs"
            label="Pretty"
            checked={isPretty}
            onChange={({ currentTarget }) => setPretty(currentTarget.checked)}
          />
        )}
        <CopyButton value={text} label={`Copy ${of} body`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {isPretty ? pretty : text}
      </pre>
    </div>
  )
}
