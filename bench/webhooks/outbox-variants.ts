// Loaded with --import before the service. Replaces the SQL that writes events by SQL without outbox entries
// or without events.
import { registerHooks } from 'node:module'

const OUTBOX = '/server/events/outbox.ts'

/** Writes only the event, without an outbox entry. */
const WITHOUT_ENTRY = `
    outbox_entry as (select 1 where false)`

/** Writes neither the event nor an outbox entry. */
const WITHOUT_EVENT = `
    event as (select null::uuid as id from \${source} where false),
    outbox_entry as (select 1 where false)`

function variant(source: string, name: string): string {
  const [before = '', rest = ''] = source.split('return sql`\n')
  const [statement = '', ...after] = rest.split('`\n')
  const event = statement.slice(0, statement.indexOf('outbox_entry as ('))
  const body = name === 'none' ? WITHOUT_EVENT : `${event}${WITHOUT_ENTRY}`
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
