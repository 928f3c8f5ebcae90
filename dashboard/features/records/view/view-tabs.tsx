// The views of an object as tabs: all records, the user's own records, and saved views.
import { UnstyledButton } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { View } from '../api/views.ts'
import type { ShownView } from './use-view.ts'
import classes from './view-tabs.module.css'

interface ViewTabsProps {
  object: ObjectWithAttributes
  view: ShownView
}

/** The index of the tab that a key focuses. */
const PLACES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: () => -1,
}

/** Arrow keys, Home and End move the focus between tabs. Enter opens a tab. */
function moveFocus({ key, target, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const tabs = [...currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.indexOf(target as HTMLElement)
  const place = PLACES[key]?.(at, tabs.length)
  if (place !== undefined) tabs.at(place)?.focus()
}

/** Renders nothing if there is no view to choose. */
export function ViewTabs({ object, view }: ViewTabsProps) {
  const views: readonly View[] = [...(view.delivered ? [view.delivered] : []), ...view.views]
  if (views.length === 0) return null
  const shown = view.saved?.id
  const tabs = [undefined, ...views]
  return (
    <div
      className={classes.tabs}
      role="tablist"
      aria-label={`Views of ${object.pluralName.toLowerCase()}`}
      onKeyDown={moveFocus}
    >
      {tabs.map((one) => (
        <UnstyledButton
          key={one?.id ?? ''}
          className={classes.tab}
          role="tab"
          aria-selected={one?.id === shown}
          tabIndex={one?.id === shown ? 0 : -1}
          title={one?.name}
          onClick={() => view.open(one)}
        >
          {one?.name ?? 'All'}
        </UnstyledButton>
      ))}
    </div>
  )
}
