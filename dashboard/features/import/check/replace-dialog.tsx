// Replaces an invalid value in all rows by another value or none.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { mustBeGiven } from '../../../../contract/default-values.ts'
import { IMPORT_VALUE_CHARACTERS_MAX } from '../../../../contract/import-states.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
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

function useReplace({ file, group, onClose }: ReplaceDialogProps) {
  const check = useCheckAgain(file, onClose)
  const { index, value } = group
  return {
    ...check,
    replace: (by: string | null) =>
      check.mutate({ replacements: withReplacement(file.replacements, { index, value, with: by }) }),
  }
}

interface ButtonsProps extends Pick<ReplaceDialogProps, 'group' | 'onClose'> {
  text: string
  mayBeEmpty: boolean
  isPending: boolean
  onEmpty(): void
}

function Buttons({ group, text, mayBeEmpty, isPending, onEmpty, onClose }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      {mayBeEmpty && (
        <Button variant="default" disabled={isPending} onClick={onEmpty}>
          Leave empty
        </Button>
      )}
      <Button type="submit" loading={isPending} disabled={text.trim() === ''}>
        Replace in {rowsText(group.rows)}
      </Button>
    </Group>
  )
}

function Form(props: ReplaceDialogProps) {
  const { file, group, onClose } = props
  const { attribute, part } = useColumn(props)
  const [text, setText] = useState(() => replacementFor(file.replacements, group)?.with ?? '')
  const { replace, isPending, error } = useReplace(props)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') replace(text)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <p className="breakable">
          <strong>{group.value === '' ? 'Empty cells' : `“${group.value}”`}</strong> in the column{' '}
          {group.column}: {rowsText(group.rows)}. The file itself stays as it is.
        </p>
        <Field attribute={attribute} part={part} text={text} onChange={setText} />
        {error && (
          <Text c="var(--danger)" role="alert">
            {messageOf(error)}
          </Text>
        )}
        <Buttons
          group={group}
          text={text}
          mayBeEmpty={group.value !== '' && !(attribute && mustBeGiven(attribute))}
          isPending={isPending}
          onEmpty={() => replace(null)}
          onClose={onClose}
        />
      </Stack>
    </form>
  )
}

/** Mount only while the dialog is open. */
export function ReplaceDialog(props: ReplaceDialogProps) {
  const title = props.group.value === '' ? 'Fill empty cells' : 'Replace a value'
  return (
    <Dialog onClose={props.onClose} title={title}>
      <Form {...props} />
    </Dialog>
  )
}
