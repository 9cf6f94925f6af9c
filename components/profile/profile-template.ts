// What a new profile begins with: enough to be launched, and the keys one asks for next.
export const profileTemplate = `# Everything but the name may be left out.
name: Researcher
description: Answers one question from what it was handed.
worker_target: worker_generic
tags: [research]
system_prompt_template: |
  You are {display_name}. Answer the question in your instruction from the cards you were given, and say what is missing.
llm_config:
  provider: script
  script:
    - think: Reading what was handed over.
      wait_ms: 800
    - deliver: "{instruction}: nothing was asked of a model yet. Name one under llm_config."
allowed_tools: []
delegation_policy:
  target_tags: []
  target_profiles: []
`;
