// Replaces an invalid value in all rows by another value or none.
import { Button, TextInput } from '@mantine/core'
import { mustBeGiven } from '../../../../contract/default-values.ts'
import { IMPORT_VALUE_CHARACTERS_MAX } from '../../../../contract/import-states.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { tooLong } from '../../../ui/too-long.ts'
import type { Import } from '../api.ts'
import { useImportPage } from '../page/use-import-page.ts'
import { rowsText } from '../upload/file-facts.ts'
import { choicesOf, type Fixable, replacementFor, withReplacement } from './replacements.ts'
import { useCheckAgain } from './use-check-again.ts'

interface FieldProps {
  attribute: Attribute | undefined
  part: string | undefined
  text: string
  onChange(text: string): void
}

function Field({ attribute, part, text, onChange }: FieldProps) {
  const choices = attribute && choicesOf(attribute, part)
  if (choices)
    return (
      <Select
        label="New value"
        data={choices}
        value={text === '' ? null : text}
        onChange={(value) => onChange(value ?? '')}
        searchable
        // An open list would cover the buttons of the dialog.
        openOnFocus={false}
        limit={100}
        nothingFoundMessage="Nothing found"
        data-autofocus
      />
    )
  return (
    <TextInput
      label="New value"
      description="Write it as the other rows of the file do"
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={tooLong(text, IMPORT_VALUE_CHARACTERS_MAX)}
      data-autofocus
    />
  )
}

interface ReplaceDialogProps {
  file: Import
  group: Fixable
  onClose(): void
}

function useColumn({ file, group }: Pick<ReplaceDialogProps, 'file' | 'group'>) {
  const { object } = useImportPage()
  const mapped = file.mapping?.find(({ index }) => index === group.index)
  const attribute = object.attributes.find(({ slug }) => slug === mapped?.attributeSlug)
  return { attribute, part: mapped?.part }
}

interface Fields {
  text: string
  /** Sends no value. The text stays in the form, because the service may refuse it. */
  isLeftEmpty: boolean
}

function useReplacing({ file, group, onClose }: ReplaceDialogProps) {
  const check = useCheckAgain(file, onClose)
  const { index, value } = group
  return useDataForm<Fields>({
    initial: () => ({ text: replacementFor(file.replacements, group)?.with ?? '', isLeftEmpty: false }),
    save: ({ text, isLeftEmpty }) =>
      check.mutateAsync({
        replacements: withReplacement(file.replacements, { index, value, with: isLeftEmpty ? null : text }),
      }),
    onClose,
  })
}

function Replacement(props: ReplaceDialogProps) {
  const { group } = props
  const { attribute, part } = useColumn(props)
  const form = useReplacing(props)
  const { text } = form.values
  const leaveEmpty = async () => {
    form.change({ isLeftEmpty: true })
    await form.submit()
    form.change({ isLeftEmpty: false })
  }
  return (
    <Form form={form} gap="sm">
      <p className="breakable">
        <strong>{group.value === '' ? 'Empty cells' : `“${group.value}”`}</strong> in the column{' '}
        {group.column}: {rowsText(group.rows)}. The file itself stays as it is.
      </p>
      <Field
        attribute={attribute}
        part={part}
        text={text}
        onChange={(entered) => form.change({ text: entered })}
      />
      <FormEnd form={form} verb={`Replace in ${rowsText(group.rows)}`} isReady={text.trim() !== ''}>
        {group.value !== '' && !(attribute && mustBeGiven(attribute)) && (
          <Button variant="default" disabled={form.isBusy} onClick={() => void leaveEmpty()}>
            Leave empty
          </Button>
        )}
      </FormEnd>
    </Form>
  )
}

/** Mount only while the dialog is open. */
export function ReplaceDialog(props: ReplaceDialogProps) {
  const title = props.group.value === '' ? 'Fill empty cells' : 'Replace a value'
  return (
    <Dialog onClose={props.onClose} title={title}>
      <Replacement {...props} />
    </Dialog>
  )
}
