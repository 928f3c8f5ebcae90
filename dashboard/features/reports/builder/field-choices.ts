// Fields as choices, grouped by object.

import { TYPES } from '../../../types/types.ts'
import type { ChoiceGroup } from '../../../ui/chooser.tsx'
import type { ReportField } from './report-fields.ts'
import type { ReportObject } from './report-objects.ts'

/** @param isFit whether a field can be chosen; others are omitted */
export function fieldChoices(
  objects: readonly ReportObject[],
  fields: readonly ReportField[],
  isFit: (field: ReportField) => boolean = () => true,
): ChoiceGroup[] {
  return objects.map(({ alias, name }) => ({
    name,
    choices: fields
      .filter((field) => field.alias === alias && isFit(field))
      .map(({ slug, fullName, type }) => ({ value: slug, label: fullName, icon: TYPES[type].icon })),
  }))
}

/** Converts the groups to data for a Select. */
export const selectData = (groups: readonly ChoiceGroup[]) =>
  groups
    .filter(({ choices }) => choices.length > 0)
    .map(({ name, choices }) => ({
      group: name,
      items: choices.map(({ value, label }) => ({ value, label })),
    }))
