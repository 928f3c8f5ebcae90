// The parts of the table of a view: columns, permissions for editing, and actions of keys.
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { clampWidth, ROW_HEIGHTS } from '../../../shared/filters/view-state.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useEditRecord } from '../../../shared/records/edit-record.ts'
import { forgetRefused } from '../../../shared/records/refused-values.ts'
import {
  chosenColumns,
  moveColumn,
  nudgeColumn,
  type TableColumn,
  tableColumns,
  withColumn,
} from '../../../shared/table/columns.ts'
import type { Table, TableActions } from '../../../shared/table/table-context.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import type { Selection } from '../selection/use-selection.ts'
import { type ShownView, useGoTo } from '../view/use-view.ts'

/** Numbers are typed as text. Entering the same number is not a change. */
const isSameNumber = ({ type }: Attribute, from: unknown, to: unknown) =>
  type === 'number' && from !== undefined && to !== null && String(from) === String(to)

export function useColumns(object: ObjectWithAttributes, { state }: ShownView) {
  return useMemo(() => {
    const all = tableColumns(object.attributes, state.columns)
    return { all, visible: all.filter(({ isHidden }) => !isHidden) }
  }, [object.attributes, state.columns])
}

export function usePeek() {
  const goTo = useGoTo()
  return (record: Pick<CrmRecord, 'id'>) =>
    void goTo({ search: (previous) => ({ ...previous, peek: record.id }) })
}

function useActions(
  object: ObjectWithAttributes,
  view: ShownView,
  { all, edits }: Pick<Parts, 'all' | 'edits'>,
): TableActions {
  const editRecord = useEditRecord(object.slug)
  const peek = usePeek()
  const navigate = useNavigate()
  const org = useOrg()
  const put = (columns: readonly TableColumn[]) => view.change({ columns: chosenColumns(columns) }, 'quietly')
  return {
    resize: (slug, width) => put(withColumn(all, slug, { width: clampWidth(width) })),
    move: (slug, onto) => put(moveColumn(all, slug, onto)),
    nudge: (slug, by) => put(nudgeColumn(all, slug, by)),
    edit: ({ id: recordId }, { attribute }, from, to) => {
      if (!attribute) return
      if (isSameNumber(attribute, from, to)) forgetRefused(recordId, attribute.slug)
      else void editRecord({ recordId, attribute, from: from ?? null, to })
    },
    openRecord: ({ id }) => void navigate({ to: recordPaths.record(org, object.slug, id) }),
    peek,
    ...edits,
  }
}

interface Parts {
  all: readonly TableColumn[]
  selection: Selection
  edits: Pick<TableActions, 'clear' | 'fill' | 'paste'>
  menuOf: Table['menuOf']
  summaries: Pick<Table, 'summaryOf' | 'summaryMenuOf'>
}

export function useTableOf(object: ObjectWithAttributes, view: ShownView, parts: Parts): Table {
  const naming = namingAttribute(object.attributes)
  return {
    org: useOrg(),
    objectSlug: object.slug,
    rowHeight: ROW_HEIGHTS[view.state.rowHeight],
    sort: view.state.sort,
    selection: parts.selection.rows,
    actions: useActions(object, view, parts),
    nameOf: (record) => recordName(naming, record),
    isEditable: ({ attribute }) => object.isActive && attribute !== undefined,
    menuOf: parts.menuOf,
    ...parts.summaries,
  }
}
