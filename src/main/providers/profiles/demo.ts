import { defineProvider } from '../define-provider.ts'

/** The built-in script (decisions 5). Its address exists only while it runs, so none stands here. */
export const demo = defineProvider({
  name: 'demo',
  display_name: 'Demo (scripted)',
  description: 'Prepared answers from this app, without a network. It shows how Herma works and is no model.',
  base_url: '',
  needs_key: false,
  models: ['scripted'],
})
