// The page of a record: its attributes, timeline and related records.
import { Alert, Box, Button, Group, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FileX2, Lock } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { hasCode } from '../../shared/api/errors.ts'
import { objectQuery } from '../../shared/api/objects.ts'
import { type CrmRecord, recordQuery } from '../../shared/api/records.ts'
import { DropArea } from '../../shared/attachments/drop-area.tsx'
import { recordPaths } from '../../shared/paths.ts'
import { EditPicture } from '../../shared/records/edit-picture.tsx'
import { InlineValue } from '../../shared/records/inline-value.tsx'
import { EmptyState } from '../../shared/state.tsx'
import { toast, toastError } from '../../shared/toast.ts'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { download } from '../../ui/download.ts'
import { later } from '../../ui/later.tsx'
import { Opening } from '../../ui/opening.ts'
import { Page } from '../../ui/page.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import type { EntryActions } from '../activities/activity-facts.tsx'
import type { Activity } from '../activities/api.ts'
import { DeleteActivity } from '../activities/delete-activity.tsx'
import { RunOnRecord } from '../workflows/run-on-record.tsx'
import { downloadArchive } from './api/erasure.ts'
import { mergesQuery } from './api/merge.ts'
import { UndoMerge } from './merge/undo-merge.tsx'
import { AttributeList } from './record/attribute-list.tsx'
import { DeleteRecord } from './record/delete-record.tsx'
import classes from './record/record.module.css'
import { Neighbours, RecordMenu } from './record/record-bar.tsx'
import { RelatedColumn } from './record/related-column.tsx'
import { TimelineColumn } from './record/timeline-column.tsx'

const ActivityPanel = later(async () => (await import('../activities/activity-panel.tsx')).ActivityPanel)
const MergeWith = later(async () => (await import('./merge/merge-with.tsx')).MergeWith)

/** Loaded on demand, because they are rarely opened. */
const RemindMe = lazy(async () => ({ default: (await import('../inbox/remind-me.tsx')).RemindMe }))
const EraseRecord = lazy(async () => ({
  default: (await import('./record/erase-record.tsx')).EraseRecord,
}))

interface RecordProps {
  object: ObjectWithAttributes
  record: CrmRecord
}

const INACTIVE = 'This object is inactive: its records can be read, not changed'

function Title({ object, record }: RecordProps) {
  const naming = namingAttribute(object.attributes)
  const title = <h1 className="title breakable">{recordName(naming, record)}</h1>
  return (
    // Aligns a name of one line with the middle of the picture.
    <Box className="fill" pt={6}>
      {naming ? (
        <InlineValue object={object.slug} attribute={naming} record={record} isReadOnly={!object.isActive}>
          {title}
        </InlineValue>
      ) : (
        title
      )}
    </Box>
  )
}

/** @param children shown below the name: on a phone, the choice of the column */
function DetailsColumn({ object, record, children }: RecordProps & { children: ReactNode }) {
  const column = useRef<HTMLElement>(null)
  const edit = () => {
    const openers = [...(column.current?.querySelectorAll<HTMLButtonElement>('[data-edit]') ?? [])]
    const chosen = openers.find((opener) => opener === document.activeElement) ?? openers[0]
    chosen?.click()
  }
  useShortcuts([['e', edit]])
  return (
    <section ref={column} className={classes.column} data-column="details" aria-label="Details">
      <Group gap={8} align="flex-start" wrap="nowrap" mb={12}>
        <EditPicture
          key={record.id}
          record={{ object: object.slug, id: record.id }}
          name={recordName(namingAttribute(object.attributes), record)}
          isReadOnly={!object.isActive}
        />
        <Title object={object} record={record} />
      </Group>
      {children}
      <div className={classes.attributes}>
        <AttributeList
          key={record.id}
          object={object}
          record={record}
          readOnly={!object.isActive}
          withoutName
        />
      </div>
    </section>
  )
}

const COLUMNS = [
  { value: 'details', label: 'Details' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'related', label: 'Related' },
]
const ALL: readonly string[] = COLUMNS.map(({ value }) => value)

/** The open activity, which is in the address, and the activity to delete. */
function useEntries() {
  const navigate = useNavigate()
  const { activity } = useSearch({ strict: false }) as { activity?: string }
  const [removed, setRemoved] = useState<Activity>()
  const open = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, activity: id }) as never,
      replace: id === undefined,
    })
  const actions: EntryActions = { edit: open, remove: setRemoved }
  return { activity, close: () => open(undefined), removed, setRemoved, actions }
}

/** A phone shows one column at a time. A column is mounted when first chosen, and then kept with its typed text. */
function useShownColumn() {
  const [column, setColumn] = useState('details')
  const [made, setMade] = useState<readonly string[]>(['details'])
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  // If a wide window becomes narrow, such as a rotated tablet, all columns stay mounted.
  if (!isNarrow && made !== ALL) setMade(ALL)
  const choose = (next: string) => {
    setColumn(next)
    if (!made.includes(next)) setMade([...made, next])
  }
  return { column, choose, isMade: (one: string) => made.includes(one) }
}

function RecordBody({ object, record }: RecordProps) {
  const { column, choose, isMade } = useShownColumn()
  const { activity, close, removed, setRemoved, actions } = useEntries()
  return (
    <>
      {!object.isActive && (
        <Alert icon={<Lock size={16} aria-hidden />} color="gray" radius={0}>
          {INACTIVE}
        </Alert>
      )}
      <DropArea
        subject={{ object: object.slug, recordId: record.id }}
        name={recordName(namingAttribute(object.attributes), record)}
        isReadOnly={!object.isActive}
        className="flex rest"
      >
        <div className={classes.record} data-current={column}>
          <DetailsColumn object={object} record={record}>
            <SegmentedControl
              aria-label="Part of the record"
              hiddenFrom="sm"
              mb={12}
              data={COLUMNS}
              value={column}
              onChange={choose}
              fullWidth
            />
          </DetailsColumn>
          {isMade('timeline') && (
            <TimelineColumn key={record.id} object={object} record={record} actions={actions} />
          )}
          {isMade('related') && <RelatedColumn object={object} record={record} />}
        </div>
      </DropArea>
      {activity && <ActivityPanel id={activity} onClose={close} />}
      {removed && <DeleteActivity activity={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function DeletedRecord({ object }: { object: ObjectWithAttributes }) {
  const org = useOrg()
  return (
    <EmptyState
      icon={FileX2}
      title="This record was deleted"
      action={
        <Button variant="default" component={Link} to={recordPaths.object(org, object.slug)}>
          All {object.pluralName.toLowerCase()}
        </Button>
      }
    >
      Someone deleted it while you had it open.
    </EmptyState>
  )
}

/** The menu of a record, and the dialogs that it opens. */
function RecordActions({ object, id, name }: { object: ObjectWithAttributes; id: string; name: string }) {
  const org = useOrg()
  const navigate = useNavigate()
  const { may } = useOrganization()
  const [doing, setDoing] = useState<'remind' | 'merge' | 'undo' | 'delete' | 'erase'>()
  const { data } = useQuery(mergesQuery(org, object.slug, id))
  const last = data?.merges[0]
  const close = () => setDoing(undefined)
  const archive = async () => {
    toast('Preparing the archive')
    await downloadArchive(org, object.slug, id).then((file) => download(file, `${name}.zip`), toastError)
  }
  const show = (winnerId: string) =>
    void navigate({ to: recordPaths.record(org, object.slug, winnerId), replace: true })
  return (
    <>
      <RecordMenu
        id={id}
        locked={object.isActive ? undefined : INACTIVE}
        onRemind={() => setDoing('remind')}
        onMerge={() => setDoing('merge')}
        onUndoMerge={last && (() => setDoing('undo'))}
        onDelete={() => setDoing('delete')}
        onArchive={may('admin') ? () => void archive() : undefined}
        onErase={may('admin') ? () => setDoing('erase') : undefined}
      />
      <Suspense fallback={<Opening />}>
        {doing === 'remind' && (
          <RemindMe subject={{ object: object.slug, recordId: id }} name={name} onClose={close} />
        )}
      </Suspense>
      {doing === 'merge' && <MergeWith object={object} id={id} name={name} onClose={close} onMerged={show} />}
      {doing === 'undo' && last && <UndoMerge object={object} mergeId={last.id} onClose={close} />}
      {doing === 'delete' && <DeleteRecord object={object} id={id} name={name} onClose={close} />}
      {doing === 'erase' && (
        <Suspense fallback={<Opening />}>
          <EraseRecord object={object} id={id} name={name} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

export function RecordPage() {
  const { object: slug = '', record: id = '' } = useParams({ strict: false })
  const org = useOrg()
  const { data: object } = useSuspenseQuery(objectQuery(org, slug))
  const { data } = useSuspenseQuery(recordQuery(org, slug, id))
  const { error } = useQuery(recordQuery(org, slug, id))
  const record = data.body
  const name = recordName(namingAttribute(object.attributes), record)
  const isDeleted = hasCode(error, 'not_found')
  if (record.mergedInto !== undefined)
    return <Navigate to={recordPaths.record(org, slug, record.id)} replace />
  return (
    <Page
      title={name}
      width="full"
      heading={
        <Crumbs
          way={[{ name: object.pluralName, to: recordPaths.object(org, slug) }]}
          here={name}
          hasHeading
        />
      }
      actions={
        <>
          <Neighbours object={object} id={id} />
          {!isDeleted && <RunOnRecord object={object.slug} record={{ id, name }} />}
          {!isDeleted && <RecordActions object={object} id={id} name={name} />}
        </>
      }
    >
      {isDeleted ? <DeletedRecord object={object} /> : <RecordBody object={object} record={record} />}
    </Page>
  )
}
