// The duplicate rules of an object, which follow from its attributes. Pure.
import type { DuplicateRule } from '../../contract/duplicates.ts'
import { namingAttribute } from '../../contract/record-name.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'

interface RuleParts {
  attribute: ModelAttribute
  /** A reference that must be equal too, if both records have one. */
  company?: ModelAttribute | undefined
}

export type Rule = DuplicateRule & RuleParts

const DOMAIN_SLUGS = new Set(['domain', 'website'])

const lowered = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

const isDomain = ({ slug, type }: ModelAttribute) =>
  type === 'domain' || (DOMAIN_SLUGS.has(slug) && (type === 'text' || type === 'url'))

const isCompany = (attribute: ModelAttribute, { obj }: ObjectModel) =>
  attribute.slug === 'company' &&
  !attribute.isList &&
  attribute.type === 'reference' &&
  attribute.targetObj !== obj

function ruleOf(kind: Rule['kind'], { attribute, company }: RuleParts, isActive: boolean): Rule {
  const attributeSlugs = [attribute, company].flatMap((one) => one?.slug ?? [])
  const start = `${kind === 'similar_name' ? 'Similar' : 'Same'} ${lowered(attribute.name)}`
  return {
    id: [kind, ...attributeSlugs].join('.'),
    kind,
    name: company ? `${start} and same ${lowered(company.name)}` : start,
    attributeSlugs,
    isActive,
    attribute,
    company,
  }
}

/** People at one place often share a telephone, so the phone rule of standard objects is initially off. */
function valueRule(attribute: ModelAttribute, { type }: ObjectModel): Rule[] {
  if (attribute.type === 'email') return [ruleOf('same_email', { attribute }, true)]
  if (attribute.type === 'phone_number') return [ruleOf('same_phone', { attribute }, type === 'custom')]
  return isDomain(attribute) ? [ruleOf('same_domain', { attribute }, true)] : []
}

/** Deals of one company often have similar names, so the name rule of deals is initially off. */
function nameRule(model: ObjectModel, attributes: readonly ModelAttribute[]): Rule[] {
  const attribute = namingAttribute(attributes)
  if (!attribute || (attribute.type !== 'name' && attribute.type !== 'text')) return []
  const company = attributes.find((one) => isCompany(one, model))
  const isDeals = model.type === 'standard' && model.slug === 'deals'
  return [ruleOf('similar_name', { attribute, company }, !isDeals)]
}

/** @param switches whether a rule is active, by its id, for rules that were switched */
export function rulesOf(model: ObjectModel, switches: ReadonlyMap<string, boolean>): Rule[] {
  const attributes = [...model.attributes.values()]
  const rules = [...attributes.flatMap((one) => valueRule(one, model)), ...nameRule(model, attributes)]
  return rules.map((rule) => ({ ...rule, isActive: switches.get(rule.id) ?? rule.isActive }))
}

export const shownRule = ({ attribute: _, company: __, ...rule }: Rule): DuplicateRule => rule
