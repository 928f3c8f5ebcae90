// One attribute: its name and options, what it is for good, and its end.
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isStandardAttribute } from '../../../../../contract/standard-objects.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import type { Attribute } from '../../../../shared/api/objects.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { optionsOf } from '../../../../shared/values/attribute-config.ts'
import { ReadOnlyNote } from '../../../../ui/allowed.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { renameAttribute, setAttributeOptions } from '../../api/attributes.ts'
import { AttributeDanger } from './attribute-danger.tsx'
import { AttributeFacts } from './attribute-facts.tsx'
import { finished, repeated } from './option-list.ts'
import { OptionsEditor } from './options-editor.tsx'
import { useObjectChange } from './use-object-change.ts'

const sameTexts = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n')

function useAttributeForm({ object, attribute, onClose }: AttributePanelProps) {
  const org = useOrg()
  const [name, setName] = useState(attribute.name)
  const [options, setOptions] = useState(optionsOf(attribute))
  const isRenamed = name !== attribute.name
  const hasNewOptions = attribute.type === 'select' && !sameTexts(finished(options), optionsOf(attribute))
  const submission = useObjectChange(async () => {
    const place = { object, id: attribute.id }
    // What may be refused comes first: then nothing is half saved.
    if (hasNewOptions) await setAttributeOptions(org, place, finished(options))
    if (isRenamed) await renameAttribute(org, place, name)
    onClose()
  })
  const isGood =
    repeated(options) === undefined && (attribute.type !== 'select' || finished(options).length > 0)
  const canSave = isGood && name.trim() !== '' && (isRenamed || hasNewOptions)
  return { ...submission, name, setName, options, setOptions, canSave }
}

interface AttributePanelProps {
  object: string
  attribute: Attribute
  onClose(): void
}

function NameField({ form, isLocked }: { form: ReturnType<typeof useAttributeForm>; isLocked: boolean }) {
  return (
    <TextInput
      label="Name"
      value={form.name}
      onChange={({ currentTarget }) => form.setName(currentTarget.value)}
      maxLength={200}
      required={!isLocked}
      readOnly={isLocked}
      variant={isLocked ? 'filled' : 'default'}
      autoComplete="off"
      error={fieldErrors(form.error).name}
    />
  )
}

function AttributeForm(props: AttributePanelProps & { isStandard: boolean }) {
  const { attribute, isStandard } = props
  const form = useAttributeForm(props)
  const isSelect = attribute.type === 'select'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit(undefined)
      }}
    >
      <Stack gap="md">
        <NameField form={form} isLocked={isStandard} />
        {isSelect && (
          <OptionsEditor
            value={form.options}
            onChange={form.setOptions}
            error={fieldErrors(form.error).options}
          />
        )}
        <FormError error={form.error} fields={['name', 'options']} />
        {(isSelect || !isStandard) && (
          <Group>
            <Button type="submit" loading={form.isBusy} disabled={!form.canSave}>
              Save changes
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

export function AttributePanel(props: AttributePanelProps & { isReadOnly: boolean }) {
  const { object, attribute, isReadOnly, onClose } = props
  const isStandard = isStandardAttribute(object, attribute)
  return (
    <SidePanel title={attribute.name} onClose={onClose}>
      <Stack gap="lg">
        {isStandard && (
          <ReadOnlyNote>
            Built in: it keeps its name and rules, and cannot be deleted, so that programs can rely on it.
          </ReadOnlyNote>
        )}
        {!isReadOnly && <AttributeForm {...props} isStandard={isStandard} />}
        <AttributeFacts attribute={attribute} />
        {!isReadOnly && (
          <AttributeDanger
            object={object}
            attribute={attribute}
            isStandard={isStandard}
            onDeleted={onClose}
          />
        )}
      </Stack>
    </SidePanel>
  )
}
