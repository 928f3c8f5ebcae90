// The panel of an attribute: name, rules, options, fixed properties, and deletion.

import { Group, Progress, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../../contract/counted.ts'
import { mayHaveDefault } from '../../../../contract/default-values.ts'
import { isStandardAttribute } from '../../../../contract/standard-objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { Form, FormProblem, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useFollowing } from '../../../shared/form/use-following.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { optionsOf } from '../../../shared/values/attribute-config.ts'
import { CaseField, hasCase, isCaseSensitive } from '../../../shared/values/case-field.tsx'
import { ReadOnlyNote } from '../../../ui/allowed.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { type AttributePatch, changeOptions, optionsQuery, updateAttribute } from '../api/attributes.ts'
import { AttributeDanger } from './attribute-danger.tsx'
import { AttributeFacts } from './attribute-facts.tsx'
import { DefaultField, defaultPaths } from './default-field.tsx'
import { type EditedOptions, editedOptions, patchOf } from './edited-options.ts'
import { repeated } from './option-list.ts'
import { OptionRows } from './option-rows.tsx'
import { RequiredField } from './required-field.tsx'
import { SameValues } from './same-values.tsx'
import { lostOptions } from './undo-options.ts'
import { UniqueField } from './unique-field.tsx'
import { useRefreshObjects } from './use-object-change.ts'
import { useOptionsUndo } from './use-options-undo.ts'
import { type Rules, rulesOf, useRulesUndo } from './use-rules-undo.ts'

interface Fields extends Rules {
  edited: EditedOptions
}

const fieldsOf = (attribute: Attribute): Fields => ({
  ...rulesOf(attribute),
  edited: editedOptions(attribute),
})

/** A change of `isUnique` is saved without the fields that depend on it, because these are hidden then. */
function changesOf(attribute: Attribute, fields: Fields): AttributePatch {
  const { name, isRequired, isUnique, isCaseSensitive: caseSensitive, defaultValue } = fields
  const isOther = JSON.stringify(defaultValue) !== JSON.stringify(attribute.defaultValue ?? null)
  const changes = {
    ...(name !== attribute.name && { name }),
    ...(isRequired !== attribute.isRequired && { isRequired }),
  }
  if (isUnique !== attribute.isUnique) return { ...changes, isUnique }
  return {
    ...changes,
    ...(isOther && { defaultValue }),
    ...(caseSensitive !== isCaseSensitive(attribute) && { config: { caseSensitive } }),
  }
}

const isEmpty = (patch: AttributePatch): boolean => Object.keys(patch).length === 0

/** Removes the options from a draft if another person has changed the options since. */
function accepted({ edited, ...others }: Partial<Fields>, attribute: Attribute): Partial<Fields> {
  const known = [...(edited?.rows ?? []), ...(edited?.removed ?? [])].flatMap(({ was }) => was ?? [])
  const isCurrent = known.toSorted().join('\n') === optionsOf(attribute).toSorted().join('\n')
  return edited && isCurrent ? { ...others, edited } : others
}

/** The edited options, and a function that saves them. */
function useOptions({ object, attribute }: AttributePanelProps, edited: EditedOptions) {
  const org = useOrg()
  const key = { object, id: attribute.id }
  const offerUndo = useOptionsUndo(object)
  const { data } = useQuery({ ...optionsQuery(org, key), enabled: attribute.type === 'select' })
  const records = (option: string) => data?.options.find(({ value }) => value === option)?.records
  const patch = patchOf(edited, (option) => records(option) !== 0)
  const values = patch.options.map(({ value }) => value)
  const isSettled =
    !attribute.isRequired || edited.removed.every(({ was, to }) => to !== null || records(was) === 0)
  return {
    edited,
    values,
    records,
    change: data?.change,
    isChanged: JSON.stringify(edited) !== JSON.stringify(editedOptions(attribute)),
    isGood: attribute.type !== 'select' || (values.length > 0 && repeated(values) === undefined && isSettled),
    async save() {
      const set = crypto.randomUUID()
      const changed = await changeOptions(org, key, patch, set)
      const change = { before: editedOptions(attribute).rows, patch, after: editedOptions(changed).rows }
      const size = lostOptions(change).reduce((sum, option) => sum + (records(option) ?? 0), 0)
      offerUndo({ ...change, attributes: { was: attribute, is: changed }, set, size })
      return changed
    },
  }
}

function useAttributeForm(props: AttributePanelProps) {
  const { object, attribute, onClose } = props
  const org = useOrg()
  const refresh = useRefreshObjects()
  const offerUndo = useRulesUndo(object)
  const form = useDataForm<Fields>({
    draft: `attribute ${attribute.id}`,
    initial: () => fieldsOf(attribute),
    accept: (fields) => accepted(fields, attribute),
    async save(fields, { close }) {
      const patch = changesOf(attribute, fields)
      const saveRules = async () => {
        if (isEmpty(patch)) return
        offerUndo(attribute, await updateAttribute(org, { object, id: attribute.id }, patch))
      }
      // The default may be a new or renamed option: then the options are saved first. Otherwise the rules are first,
      // because they may be refused.
      for (const step of 'defaultValue' in patch ? [saveOptions, saveRules] : [saveRules, saveOptions])
        await step()
      close()
      await refresh()
    },
    onClose,
  })
  /** Puts the saved options into the form: if the rules are refused, a retry does not send the options again. */
  const saveOptions = async () => {
    if (!options.isChanged) return
    form.change({ edited: editedOptions(await options.save()) })
    await refresh()
  }
  useFollowing(form, fieldsOf(attribute))
  const { name, edited } = form.values
  const options = useOptions(props, edited)
  const isChanged = options.isChanged || !isEmpty(changesOf(attribute, form.values))
  const canSave = options.isGood && name.trim() !== '' && isChanged
  return { ...form, options, canSave }
}

interface AttributePanelProps {
  object: string
  attribute: Attribute
  onClose(): void
}

type AttributeState = ReturnType<typeof useAttributeForm>

function NameField({ form, isLocked }: { form: AttributeState; isLocked: boolean }) {
  return (
    <TextInput
      label="Name"
      {...form.field('name')}
      required={!isLocked}
      readOnly={isLocked}
      variant={isLocked ? 'filled' : 'default'}
      autoComplete="off"
    />
  )
}

function Rewriting({ total, changed }: { total: number; changed: number }) {
  return (
    <div role="status">
      <p className="muted">
        The last change is being written to records: {formatCount(changed)} of {formatCount(total)}
      </p>
      <Progress value={total === 0 ? 100 : (changed / total) * 100} aria-label="Records that are rewritten" />
    </div>
  )
}

/** Paths whose problems are shown at form fields. */
const SHOWN = ['name', 'isRequired', 'isUnique', 'options', 'config', 'config.caseSensitive']

/** The attribute with the edited options, from which the default is chosen. */
const withOptions = (attribute: Attribute, { values }: { values: readonly string[] }): Attribute =>
  attribute.type === 'select' ? { ...attribute, config: { options: [...values] } } : attribute

function AttributeForm(props: AttributePanelProps & { isStandard: boolean }) {
  const { attribute, isStandard } = props
  const form = useAttributeForm(props)
  const isSelect = attribute.type === 'select'
  const isSameUniqueness = form.values.isUnique === attribute.isUnique
  return (
    <Form form={form}>
      <NameField form={form} isLocked={isStandard} />
      {isSelect && (
        <OptionRows
          {...form.field('edited')}
          records={form.options.records}
          isRequired={attribute.isRequired}
          error={form.errors.options}
        />
      )}
      {!isStandard && (
        <RequiredField object={props.object} attribute={attribute} {...form.checkbox('isRequired')} />
      )}
      {!isStandard && <UniqueField attribute={attribute} {...form.checkbox('isUnique')} />}
      {isSameUniqueness && <DefaultField form={form} attribute={withOptions(attribute, form.options)} />}
      {form.options.change && <Rewriting {...form.options.change} />}
      {isSameUniqueness && hasCase(attribute) && (
        <CaseField
          {...form.checkbox('isCaseSensitive')}
          error={form.errors['config'] ?? form.errors['config.caseSensitive']}
        />
      )}
      <FormProblem form={form} shown={[...SHOWN, ...defaultPaths(form.errors)]} />
      <SameValues object={props.object} error={form.error} />
      {(isSelect || !isStandard || mayHaveDefault(attribute)) && (
        <Group>
          <SubmitButton form={form} isReady={form.canSave}>
            Save changes
          </SubmitButton>
        </Group>
      )}
    </Form>
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
            Built in: it keeps its name, and whether it is required and unique, and cannot be deleted, so that
            programs can rely on it.
          </ReadOnlyNote>
        )}
        {!isReadOnly && <AttributeForm {...props} isStandard={isStandard} />}
        <AttributeFacts attribute={attribute} isEdited={!isReadOnly && !isStandard} />
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
