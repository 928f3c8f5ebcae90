// A change of one field of an activity: its name, its earlier value and its new value.
import type { ReactNode } from 'react'
import type { ActivityField } from '../../../../contract/activity-history.ts'
import { RecordChip } from '../../../shared/values/record-chip.tsx'
import { ParticipantChip } from '../activity-facts.tsx'
import type { Participant, RecordRef } from '../api.ts'
import { FIELD_NAMES, FieldValue } from '../form/activity-conflict.tsx'
import { participantKey, recordKey } from '../list/keys.ts'

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function Value({ field, value }: { field: ActivityField; value: unknown }): ReactNode {
  if (field === 'linkedRecords')
    return (value as RecordRef[]).map((ref) => <RecordChip key={recordKey(ref)} {...ref} />)
  if (field === 'participants')
    return (value as Participant[]).map((one) => <ParticipantChip key={participantKey(one)} {...one} />)
  return (
    <span className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
      <FieldValue field={field} values={{ [field]: value }} />
    </span>
  )
}

interface FieldChangeProps {
  field: ActivityField
  from: unknown
  to: unknown
}

/** "Title: Call → Mail", "Details: set to …", "Assignee: Ida Müller removed". */
export function FieldChange({ field, from, to }: FieldChangeProps) {
  const [wasEmpty, isCleared] = [isNothing(from), isNothing(to)]
  return (
    <>
      <span className="muted">{FIELD_NAMES[field]}:</span>
      {wasEmpty ? <span className="muted">set to</span> : <Value field={field} value={from} />}
      {!wasEmpty && <span className="muted">{isCleared ? 'removed' : '→'}</span>}
      {!isCleared && <Value field={field} value={to} />}
    </>
  )
}
