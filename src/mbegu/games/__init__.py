"""The rules, one readable file per game, each in the same order:

docstring with the rules · card and options · start · moves · play · end · notation
"""
