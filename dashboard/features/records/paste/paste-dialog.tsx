// A preview of pasting a block: how many cells and records change, and which cells cannot be pasted and why.
import { Button, Checkbox, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { FormError } from '../../../shared/form-error.tsx'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useChangeSet } from '../selection/use-change-set.ts'
import { counted, plural } from '../table/counted.ts'
import type { Rows } from '../table/use-rows.ts'
import { type CheckedPaste, checkPaste, type PasteProblem } from './check-paste.ts'
import { type PastedBlock, type PastePlan, planOf, withoutHeader } from './paste-plan.ts'

interface PasteDialogProps {
  object: ObjectWithAttributes
  rows: Rows
  /** The visible columns. */
  columns: readonly TableColumn[]
  block: PastedBlock
  onClose(): void
}

const cells = (count: number) => plural(count, 'cell', 'cells')

/** Checks a plan, and checks again when the user includes or omits the header. */
function useCheck({ object, rows }: PasteDialogProps, plan: PastePlan, hasHeader: boolean) {
  const { organization } = useOrganization()
  const [done, setDone] = useState(0)
  const [id] = useState(() => crypto.randomUUID())
  const total = rows.total ?? 0
  const { data, error } = useQuery({
    queryKey: [organization.slug, 'pasted-cells', id, hasHeader],
    queryFn: async ({ signal }) => {
      const last = Math.min(total, plan.top + plan.rows.length) - 1
      const records = last < plan.top ? [] : await rows.load(plan.top, last)
      const { slug: org, currency } = organization
      return checkPaste({ org, object: object.slug, currency, plan, records, onProgress: setDone }, signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return { checked: data, error, done }
}

/** Marks a button as off but keeps it focusable: Enter and Escape work when the check ends. */
const offIf = (isOff: boolean) => (isOff ? { 'data-disabled': true, 'aria-disabled': true as const } : {})

const PROBLEMS_SHOWN = 100

function Problem({ column, text, reason, count }: PasteProblem) {
  return (
    <li>
      <strong>{column}</strong>
      {text !== '' && <>: “{text}”</>}
      {count > 1 && ` (${plural(count, 'row', 'rows')})`} – {reason}
    </li>
  )
}

function Problems({ problems }: Pick<CheckedPaste, 'problems'>) {
  if (problems.length === 0) return null
  const count = problems.reduce((sum, one) => sum + one.count, 0)
  return (
    <div role="alert">
      <Text>{cells(count)} cannot be pasted and will stay as they are:</Text>
      <List size="sm" mt={4} mah={220} className="scroll" tabIndex={0} aria-label="Problems">
        {problems.slice(0, PROBLEMS_SHOWN).map((problem) => (
          <Problem key={JSON.stringify(problem)} {...problem} />
        ))}
      </List>
      {problems.length > PROBLEMS_SHOWN && (
        <Text c="dimmed">and {plural(problems.length - PROBLEMS_SHOWN, 'other value', 'other values')}</Text>
      )}
    </div>
  )
}

/** Lists columns of the block that cannot be pasted. */
function LeftOut({ beyond, readOnly }: PastePlan) {
  return (
    <>
      {beyond > 0 && (
        <Text c="dimmed">{plural(beyond, 'column', 'columns')} beyond the last one will be left out.</Text>
      )}
      {readOnly.length > 0 && <Text c="dimmed">{readOnly.join(', ')} cannot be changed.</Text>}
    </>
  )
}

function Outcome({ object, checked }: { object: ObjectWithAttributes; checked: CheckedPaste }) {
  const { changes, same } = checked
  const records = new Set(changes.map(({ record }) => record.id)).size
  return (
    <div role="status">
      <Text>
        {changes.length > 0
          ? `${cells(changes.length)} of ${counted(object, records)} will change.`
          : 'No cell will change.'}
      </Text>
      {same > 0 && (
        <Text c="dimmed">
          {cells(same)} {same === 1 ? 'has' : 'have'} the pasted value already.
        </Text>
      )}
    </div>
  )
}

interface OptionProps {
  label: string
  isChecked: boolean
  onChange(isChecked: boolean): void
}

const Option = ({ label, isChecked, onChange }: OptionProps) => (
  <Checkbox
    label={label}
    checked={isChecked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)

function usePasting(props: PasteDialogProps) {
  const { object, columns, block, onClose } = props
  const [whole] = useState(() => planOf(block, columns))
  const [leavesHeader, leaveHeader] = useState(whole.hasHeader)
  const [creates, setCreates] = useState(true)
  const plan = leavesHeader ? withoutHeader(whole) : whole
  const check = useCheck(props, plan, leavesHeader)
  const write = useChangeSet(object)
  const { checked } = check
  const creations = creates ? (checked?.creations ?? []) : []
  const count = (checked?.changes.length ?? 0) + creations.length
  const paste = async () => {
    if (!checked || count === 0) return
    onClose()
    await write({ changes: checked.changes, creations, done: 'pasted' })
  }
  return { whole, plan, check, leavesHeader, leaveHeader, creates, setCreates, paste, count }
}

type Pasting = ReturnType<typeof usePasting>

function Choices({ object, pasting }: { object: ObjectWithAttributes; pasting: Pasting }) {
  const { whole, check, leavesHeader, leaveHeader, creates, setCreates } = pasting
  const created = check.checked?.creations.length ?? 0
  return (
    <>
      {whole.hasHeader && (
        <Option
          label="The first row has the names of the columns: leave it out"
          isChecked={leavesHeader}
          onChange={leaveHeader}
        />
      )}
      {created > 0 && (
        <Option
          label={`Create ${counted(object, created)} from the rows below the last one`}
          isChecked={creates}
          onChange={setCreates}
        />
      )}
    </>
  )
}

export function PasteDialog(props: PasteDialogProps) {
  const { object, onClose } = props
  const pasting = usePasting(props)
  const { plan, check, paste, count } = pasting
  const { checked, error, done } = check
  const total = plan.rows.length
  return (
    <Dialog onClose={onClose} title={`Paste ${plural(total, 'row', 'rows')}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void paste().catch(toastError)
        }}
      >
        <Stack>
          {checked && <Outcome object={object} checked={checked} />}
          {!checked && error === null && (
            <Progress
              value={(done / total) * 100}
              aria-label={`${formatCount(done)} of ${plural(total, 'row')} checked`}
            />
          )}
          <Choices object={object} pasting={pasting} />
          <LeftOut {...plan} />
          {checked && <Problems problems={checked.problems} />}
          <FormError error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" data-autofocus {...offIf(!checked || count === 0)}>
              Paste
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
