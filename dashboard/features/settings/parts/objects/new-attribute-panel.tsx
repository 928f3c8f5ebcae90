// A new attribute: first what kind of values it holds, then the rest.
import { Box, Button, Group, Stack, UnstyledButton } from '@mantine/core'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../../../contract/attribute-types.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { FormError } from '../../../../shared/form-error.tsx'
import { TYPES } from '../../../../types/types.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { AttributeFields } from './attribute-fields.tsx'
import { ATTRIBUTE_FIELDS, type NewAttributeState, useNewAttribute } from './use-new-attribute.ts'

function KindText({ type }: { type: AttributeType }) {
  return (
    <span className="fill">
      <span className="block small medium">{TYPES[type].label}</span>
      <span className="block muted tiny">{TYPES[type].explanation}</span>
    </span>
  )
}

function KindPicker({ onPick }: { onPick(type: AttributeType): void }) {
  return (
    <Box component="ul" className="stack gap-2" py={4} aria-label="Type of the attribute">
      {ATTRIBUTE_TYPES.map((type, index) => {
        const Icon = TYPES[type].icon
        return (
          <li key={type}>
            <UnstyledButton
              className="row gap-12 wide rounded hoverable"
              p={8}
              onClick={() => onPick(type)}
              data-autofocus={index === 0 || undefined}
            >
              <Icon className="muted" size={16} aria-hidden />
              <KindText type={type} />
            </UnstyledButton>
          </li>
        )
      })}
    </Box>
  )
}

function ChosenKind({ type, onChange }: { type: AttributeType; onChange(): void }) {
  const Icon = TYPES[type].icon
  return (
    <div className="row gap-12 box">
      <Icon className="muted" size={16} aria-hidden />
      <KindText type={type} />
      <Button variant="default" onClick={onChange}>
        Change type
      </Button>
    </div>
  )
}

function Fields({
  form,
  type,
  onCancel,
}: {
  form: NewAttributeState
  type: AttributeType
  onCancel(): void
}) {
  return (
    <Stack gap="md">
      <ChosenKind type={type} onChange={() => form.set({ type: null })} />
      <AttributeFields form={form} type={type} />
      {!form.errors.slug && <FormError error={form.error} fields={ATTRIBUTE_FIELDS} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isBusy} disabled={!form.isComplete}>
          Create attribute
        </Button>
      </Group>
    </Stack>
  )
}

export function NewAttributePanel({ object, onClose }: { object: string; onClose(): void }) {
  const form = useNewAttribute(object, onClose)
  const { type } = form.fields
  const cancel = () => {
    form.draft.forget()
    onClose()
  }
  return (
    <SidePanel title={type ? 'New attribute' : 'New attribute: what does it hold?'} onClose={onClose}>
      <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
        {type ? (
          <Fields form={form} type={type} onCancel={cancel} />
        ) : (
          <KindPicker onPick={(picked) => form.set({ type: picked })} />
        )}
      </DraftForm>
    </SidePanel>
  )
}
