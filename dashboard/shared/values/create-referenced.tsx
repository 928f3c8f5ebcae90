// Creates the record that a reference is to point to, from the picker: at once when a name is all that it needs, else
// with a small form for what is required.
import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, type SyntheticEvent, useState } from 'react'
import { namingAttribute } from '../../../contract/record-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FirstText } from '../../ui/use-open-text.tsx'
import { fieldErrors, messageOf } from '../api/errors.ts'
import type { RecordData } from '../api/records.ts'
import {
  askedOf,
  CREATING_FORM,
  CreatesReferenced,
  type CreatingProps,
  startOf,
  useCreate,
} from './use-create-choice.tsx'
import { ValueEditor } from './value-editor.tsx'

/** What happens in the form is not an event of the editor around the picker, which is its parent in React. */
const OWN_EVENTS = Object.fromEntries(
  ['onBlur', 'onFocus', 'onClick', 'onMouseDown', 'onSubmit', 'onKeyDown'].map((name) => [
    name,
    // Escape goes on to the dialog.
    (event: SyntheticEvent & { key?: string }) => event.key !== 'Escape' && event.stopPropagation(),
  ]),
)

function useForm({ object, text, onCreated }: CreatingProps) {
  const create = useCreate()
  const naming = namingAttribute(object.attributes)
  const [data, setData] = useState<RecordData>(naming ? { [naming.slug]: startOf(naming, text) } : {})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      onCreated(await create(object, data))
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return { data, change: (part: RecordData) => setData({ ...data, ...part }), error, isBusy, submit }
}

const errorOf = (errors: Record<string, string>, slug: string) =>
  Object.entries(errors).find(([path]) => path === slug || path.startsWith(`${slug}.`))?.[1]

function CreatingForm(props: CreatingProps) {
  const { object, onClose } = props
  const form = useForm(props)
  const errors = fieldErrors(form.error, 'data.')
  const isRefused = form.error !== undefined && Object.keys(errors).length === 0
  return (
    <form noValidate onSubmit={(event) => void form.submit(event)}>
      <Stack>
        {askedOf(object).map((attribute, index) => (
          <ValueEditor
            key={attribute.id}
            attribute={attribute}
            label={attribute.name}
            required={attribute.isRequired}
            autoFocus={index === 0}
            value={form.data[attribute.slug] ?? null}
            onChange={(value) => form.change({ [attribute.slug]: value })}
            error={errorOf(errors, attribute.slug)}
          />
        ))}
        {isRefused && (
          <Text c="var(--danger)" role="alert">
            {messageOf(form.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy}>
            Create {object.singularName.toLowerCase()}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function CreateReferenced(props: CreatingProps) {
  return (
    <div {...OWN_EVENTS}>
      <CreatesReferenced value={null}>
        <Dialog
          title={`Create ${props.object.singularName.toLowerCase()}`}
          onClose={props.onClose}
          attributes={{ content: { [CREATING_FORM]: true } }}
        >
          <FirstText value={undefined}>
            <CreatingForm {...props} />
          </FirstText>
        </Dialog>
      </CreatesReferenced>
    </div>
  )
}
