// The search dialog: one field, and a list of records, pages and commands. Arrow keys move through the list.

import { Box, Button, Kbd, Loader, Modal } from '@mantine/core'
import { Search } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { listFormat } from '../../../contract/language.ts'
import { messageOf } from '../../shared/api/errors.ts'
import { PictureOr } from '../../shared/records/record-picture.tsx'
import { useLayer } from '../../ui/layers.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import type { Entry, EntryGroup } from './entry.ts'
import { parts } from './matching.ts'
import classes from './search.module.css'
import { usePalette } from './use-palette.ts'

interface PaletteProps {
  onClose(): void
  showShortcuts(): void
}

type Palette = ReturnType<typeof usePalette>

function Highlighted({ title, text }: { title: string; text: string }) {
  return parts(title, text).map(({ text: piece, isHit }, index) =>
    isHit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no identity but their place
      <mark key={index} className="strong">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}

/** The matched text, then the hint. Only the hint if it contains the matched text, or if the title matched. */
const detailOf = ({ hint, matched }: Entry): string =>
  [matched !== undefined && !hint?.includes(matched) && matched, hint].filter(Boolean).join(' · ')

interface OptionProps {
  entry: Entry
  palette: Palette
  id: string
}

function Option({ entry, palette, id }: OptionProps) {
  const { text, active, choose, run } = palette
  const isActive = entry === active
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const { icon: Icon, title, note, record } = entry
  const detail = detailOf(entry)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the option that is active
    <div
      ref={ref}
      id={`${id}-${entry.id}`}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onMouseMove={() => !isActive && choose(entry.id)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(entry)}
    >
      {record ? (
        <PictureOr {...record} name={title}>
          <Icon size={16} aria-hidden />
        </PictureOr>
      ) : (
        <Icon size={16} aria-hidden />
      )}
      <span className="stack fill">
        <span className="truncate">
          <Highlighted title={title} text={text} />
        </span>
        {detail && (
          <span className="truncate muted tiny">
            <Highlighted title={detail} text={text} />
          </span>
        )}
      </span>
      {note && <span className="fixed muted tiny">{note}</span>}
    </div>
  )
}

interface GroupProps {
  group: EntryGroup
  palette: Palette
  id: string
}

function Group({ group, palette, id }: GroupProps) {
  const heading = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
    <div role="group" aria-labelledby={heading}>
      <Box id={heading} className="muted tiny medium" p="8px 8px 4px" role="presentation">
        {group.title}
      </Box>
      {group.entries.map((entry) => (
        <Option key={entry.id} entry={entry} palette={palette} id={id} />
      ))}
    </div>
  )
}

const listed = (names: readonly string[]) => listFormat().format(names)

function stateText({ text, groups, found }: Palette): string {
  if (text.trim() === '' || found.isLooking) return ''
  if (found.error) return ''
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  if (found.unindexed.length > 0)
    return `Not all ${listed(found.unindexed)} could be searched: they are still being indexed. The newest were searched`
  if (!found.isComplete) return 'There may be better matches: type more of the name'
  if (count === 0)
    return `No results for “${text.trim()}” in names, email addresses, domains, phone numbers and activities`
  return ''
}

/** Says that the search is running, has no result, is incomplete or failed. Pages and commands work in every case. */
function State({ palette }: { palette: Palette }) {
  const { found, groups } = palette
  const text = stateText(palette)
  return (
    <div role="status" className="fixed breakable muted small">
      {found.isLooking && groups.length === 0 ? <span className={classes.message}>Searching…</span> : null}
      {text && <span className={classes.message}>{text}</span>}
      {found.error && (
        <span className={classes.message}>
          Records cannot be searched now. {messageOf(found.error)}{' '}
          <Button variant="default" size="compact-xs" onClick={found.retry}>
            Try again
          </Button>
        </span>
      )}
    </div>
  )
}

function Field({ palette, id }: { palette: Palette; id: string }) {
  const { text, change, active, onKeyDown, groups, found } = palette
  const field = useRef<HTMLInputElement>(null)
  // Before the next key is handled: the dialog itself moves the focus too late.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [])
  return (
    <div className={classes.field}>
      <Search className="muted" size={16} aria-hidden />
      <input
        ref={field}
        data-autofocus
        role="combobox"
        aria-label="Search records, pages and commands"
        aria-expanded={groups.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active.id}`}
        aria-autocomplete="list"
        placeholder="Search records, pages and commands"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {found.isLooking && <Loader size={14} aria-hidden />}
    </div>
  )
}

function Keys() {
  return (
    <Box
      component="footer"
      className="flex fixed gap-16 muted tiny"
      px={16}
      py={8}
      style={{ borderTop: '1px solid var(--border)' }}
    >
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose
      </span>
      <span>
        <Kbd size="xs">Enter</Kbd> open
      </span>
      <span>
        <Kbd size="xs">Esc</Kbd> close
      </span>
    </Box>
  )
}

function Content(props: PaletteProps) {
  const palette = usePalette(props)
  const id = useId()
  return (
    <>
      <Field palette={palette} id={id} />
      <State palette={palette} />
      {palette.groups.length > 0 && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          tabIndex={-1}
          className={classes.list}
          data-stale={palette.found.isLooking || undefined}
        >
          {palette.groups.map((group) => (
            <Group key={group.title} group={group} palette={palette} id={id} />
          ))}
        </div>
      )}
      <Keys />
    </>
  )
}

/** Render it while it is open. */
export function Palette(props: PaletteProps) {
  useReturnFocus()
  useLayer(props.onClose)
  return (
    <Modal.Root
      opened
      onClose={props.onClose}
      closeOnEscape={false}
      centered={false}
      size={640}
      yOffset="12vh"
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Content {...props} />
      </Modal.Content>
    </Modal.Root>
  )
}
