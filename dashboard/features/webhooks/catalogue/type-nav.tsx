// The navigation of event types, grouped by subject.
import { NativeSelect } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { CatalogueEntry, EventType } from '../api/webhooks.ts'
import { BRANCHES } from '../endpoints/event-type-tree.ts'
import classes from './catalogue.module.css'

interface TypeNavProps {
  entries: readonly CatalogueEntry[]
  current: EventType
}

/** All pages with this component have `type` in the address. The router cannot infer that without a route name. */
const searchFor = (type: string) => ({ type }) as never

const groupsOf = (entries: readonly CatalogueEntry[]) =>
  BRANCHES.map(({ label, types }) => ({
    label,
    names: entries.map(({ name }) => name).filter((name) => types.includes(name)),
  }))

export function TypeNav({ entries, current }: TypeNavProps) {
  return (
    <nav className={classes.nav} aria-label="Event types">
      {groupsOf(entries).map(({ label, names }) => (
        <div key={label}>
          <h2 className="nav-title">{label}</h2>
          <ul>
            {names.map((name) => (
              <li key={name}>
                <Link
                  to="."
                  search={searchFor(name)}
                  resetScroll={false}
                  className={`nav-item hoverable ${name === current ? 'medium' : ''}`}
                  aria-current={name === current ? 'true' : undefined}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The same navigation for narrow windows. */
export function TypePicker({ entries, current }: TypeNavProps) {
  const navigate = useNavigate()
  return (
    <NativeSelect
      className={classes.picker}
      label="Event type"
      data={groupsOf(entries).map(({ label, names }) => ({ group: label, items: names }))}
      value={current}
      onChange={({ currentTarget }) => void navigate({ to: '.', search: searchFor(currentTarget.value) })}
    />
  )
}
