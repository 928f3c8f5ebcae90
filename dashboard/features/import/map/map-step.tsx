// Step 2: the mapping of columns, the matching of rows, and a preview of the first rows.
import { Button, Radio, Stack, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { writtenAs } from '../../../../contract/csv-words.ts'
import type { EmptyCells } from '../../../../contract/imports.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { held } from '../../../ui/held.ts'
import { checkImport, type Import } from '../api.ts'
import { PreviewTable } from '../check/preview-table.tsx'
import { useImportDrafts } from '../page/drafts.ts'
import classes from '../page/import.module.css'
import { StepSection } from '../page/step-list.tsx'
import { useAction } from '../page/use-action.ts'
import { useImportPage } from '../page/use-import-page.ts'
import { rowsText } from '../upload/file-facts.ts'
import { FormatChoice } from '../upload/format-choice.tsx'
import { checkOf, type Draft, keptReplacements, mayUpdate, missingOf, obstacleOf } from './mapping.ts'
import { MappingTable } from './mapping-table.tsx'
import { MatchChoice } from './match-choice.tsx'
import { OwnerChoice } from './owner-choice.tsx'

interface EmptyChoiceProps {
  draft: Draft
  onChange(draft: Draft): void
}

/** Chooses whether empty cells clear the values of updated records. */
function EmptyChoice({ draft, onChange }: EmptyChoiceProps) {
  if (!mayUpdate(draft)) return null
  return (
    <Radio.Group
      label="When a cell is empty"
      value={draft.empty}
      onChange={(value) => onChange({ ...draft, empty: value as EmptyCells })}
      maw={640}
    >
      <Stack gap={8} mt={8}>
        <Radio value="keep" label="Keep the value of the record" />
        <Radio
          value="clear"
          label="Clear the value of the record"
          description="Of all attributes that a column fills; a required value cannot be cleared"
        />
      </Stack>
    </Radio.Group>
  )
}

/** Every change is saved, so that neither a reload nor going back loses a choice. */
function useDraft(file: Import) {
  const { object } = useImportPage()
  const drafts = useImportDrafts()
  const [draft, setDraft] = useState(() => drafts.read(file, object))
  const change = (to: Draft) => {
    drafts.save(file.id, to)
    setDraft(to)
  }
  return [draft, change] as const
}

/** Only rows that match a record can omit required attributes. Other rows would fail. */
function MissingNote({ draft }: { draft: Draft }) {
  const { object } = useImportPage()
  const missing = missingOf(draft, object.attributes).map(({ name }) => name)
  if (missing.length === 0 || !mayUpdate(draft)) return null
  return (
    <p className="muted small">
      Rows that match no record will fail: no column fills {missing.join(', ')}, which every{' '}
      {object.singularName.toLowerCase()} must have.
    </p>
  )
}

function CheckButton({ file, draft }: { file: Import; draft: Draft }) {
  const { object, open } = useImportPage()
  const drafts = useImportDrafts()
  const check = useAction(
    (org) => checkImport(org, file.id, { ...checkOf(draft), replacements: keptReplacements(file, draft) }),
    () => {
      drafts.drop(file.id)
      open({ import: file.id }, { replace: true })
    },
  )
  const obstacle = object.isActive
    ? obstacleOf(draft, object.attributes, object.singularName)
    : `${object.pluralName} is inactive: an admin can activate it in the settings.`
  const reason = obstacle ?? (check.error ? messageOf(check.error) : undefined)
  return (
    <div className={classes.footer}>
      <p className={`small ${reason !== undefined ? 'danger' : 'muted'}`} role="status">
        {reason ?? 'The check does not import anything.'}
      </p>
      <Tooltip label={obstacle ?? ''} disabled={obstacle === undefined}>
        <Button loading={check.isPending} {...held(obstacle, () => check.mutate())}>
          Check {rowsText(file.rows)}
        </Button>
      </Tooltip>
    </div>
  )
}

export function MapStep({ file }: { file: Import }) {
  const [draft, change] = useDraft(file)
  const { object } = useImportPage()
  return (
    <StepSection
      title="Map the columns"
      lead={
        <>
          <strong className="medium plain">{file.fileName}</strong> · {rowsText(file.rows)} ·{' '}
          {formatBytes(file.bytes)} · {writtenAs(file)}
        </>
      }
    >
      <MappingTable file={file} draft={draft} onChange={change} />
      <FormatChoice draft={draft} attributes={object.attributes} onChange={change} />
      <OwnerChoice draft={draft} attributes={object.attributes} onChange={change} />
      <MatchChoice draft={draft} object={object} onChange={change} />
      <EmptyChoice draft={draft} onChange={change} />
      <MissingNote draft={draft} />
      <PreviewTable file={file} draft={draft} />
      <CheckButton file={file} draft={draft} />
    </StepSection>
  )
}
