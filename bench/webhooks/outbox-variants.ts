// Loaded with --import before the service: writers without the marker of events, or without events at all.
import { registerHooks } from 'node:module'

const OUTBOX = '/server/events/outbox.ts'

/** The event as it is, and nobody to be told. */
const WITHOUT_MARKER = `
    event_marker as (select 1 where false)`

/** Nothing at all. */
const WITHOUT_EVENT = `
    event as (select null::uuid as id from \${source} where false),
    event_marker as (select 1 where false)`

function variant(source: string, name: string): string {
  const [before = '', rest = ''] = source.split('return sql`\n')
  const [statement = '', ...after] = rest.split('`\n')
  const event = statement.slice(0, statement.indexOf('event_marker as ('))
  const body = name === 'none' ? WITHOUT_EVENT : `${event}${WITHOUT_MARKER}`
  return `${before}return sql\`\n${body}\`\n${after.join('`\n')}`
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.includes(OUTBOX)) return loaded
    const name = new URL(import.meta.url).searchParams.get('variant') ?? ''
    return { ...loaded, source: variant(String(loaded.source), name) }
  },
})
